// Keys in a cell and in the list of readers.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function cellKeyDown(E, editor, event, at) {
  const { key } = event;
  const view = E.views[at.m];
  const [rows, cols] = E.links.shape(at.m);
  const isEdited = E.parts[at.m].mode === "edit";
  const step = STEPS[key] ?? { Home: [0, -cols], End: [0, cols], PageUp: [-rows, 0], PageDown: [rows, 0] }[key];
  if (step) {
    event.preventDefault();
    if (event.shiftKey && step[0] && isEdited) {
      const value = E.frames[at.m].v[at.r][at.c] - step[0] * 0.5;
      return E.edit(at.m, [[at.r, at.c, Number(value.toPrecision(15))]]);
    }
    const clamp = (x, n) => Math.min(n - 1, Math.max(0, x));
    return view.focus(clamp(at.r + step[0], rows), clamp(at.c + step[1], cols));
  }
  if (E.guess?.takes(at.m) && key === " ") {
    event.preventDefault();
    return E.guess.toggle(at.m, [at]);
  }
  if (E.toggles.has(at.m) && (key === " " || key === "Enter")) {
    event.preventDefault();
    return toggleCell(E, at);
  }
  if (isEdited) {
    const first = /^[\d.\-−+]$/.test(key) ? key.replace("-", "−") : { F2: null, Enter: null, Backspace: "", Delete: "" }[key];
    if (first === undefined) return;
    event.preventDefault();
    editor.open(at, first);
  } else if (/^[\d.\-−+]$/.test(key)) complain(E, E.spec.words.computed);
}

function readerKeyDown(E, event) {
  const radio = event.target.closest?.("[role=radio][data-token]");
  const step = STEPS[event.key];
  if (!radio || !step) return;
  event.preventDefault();
  const all = [...radio.parentElement.children];
  const next = (Number(radio.dataset.k) + step[0] + step[1] + all.length) % all.length;
  all[next].focus();
  E.select({ kind: "reader", r: next });
}
