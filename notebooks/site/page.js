// What a page does by itself: explorers alive, slides if asked for.

function liveModel(state) {
  // What JupyterLab's model is to an explorer; nobody answers, so each change counts as heard.
  const listeners = {};
  return {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => {
      state.stamp += 1;
      for (const act of listeners["change:stamp"] ?? []) act();
    },
    send: () => {},
    on: (event, act) => (listeners[event] ??= new Set()).add(act),
    off: (event, act) => listeners[event]?.delete(act),
  };
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

async function wake() {
  const places = [...document.querySelectorAll("[data-live]")];
  if (!places.length) return;
  const { default: widget } = await import(new URL("explorer.js", import.meta.url));
  for (const place of places) {
    const state = await unpacked(place.querySelector("script").textContent);
    const el = document.createElement("div");
    el.className = "live";
    place.prepend(el);
    widget.render({ model: liveModel(state), el });
    place.dataset.live = "yes";
  }
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.body.dataset.jpThemeLight = String(!dark);
}

theme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
addEventListener("beforeprint", () => { document.body.dataset.jpThemeLight = "true"; });
addEventListener("afterprint", theme);
await wake();
document.documentElement.dataset.ready = "yes";
if (location.search.includes("slides")) {
  const { show } = await import(new URL("slides.js", import.meta.url));
  await show();
}
