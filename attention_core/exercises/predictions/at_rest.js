// The veil over a lesson that has not been run: JupyterLab loads this when it starts (WORDS,
// STYLE and veil.js stand before it). A question then stands there in its stored form, and
// what follows it is stored, too.

const PARTS = ".jp-RenderedHTML, .cm-editor"; // a stored form, and what shows that it is one
const veils = new Map(); // stored form -> takes its veil away
const lifted = new WeakSet();

function storedForms() {
  return [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")]
    .filter((cell) => kindOf(cell) === "prediction" && !cell.querySelector(".prediction"))
    .map((cell) => cell.querySelector(`${OUTPUT} .jp-RenderedHTML`))
    .filter((form) => form && !veils.has(form) && !lifted.has(form));
}

function guard(form) {
  const words = WORDS[form.querySelector("[lang]")?.lang.slice(0, 2)] ?? WORDS.en;
  const show = document.createElement("button");
  show.className = "prediction-show";
  show.textContent = words.show;
  show.hidden = true;
  // Enter presses the button; it must not open the cell.
  show.addEventListener("keydown", (event) => event.stopPropagation());
  show.addEventListener("click", () => {
    lifted.add(form);
    release(form);
  });
  form.append(show);
  veils.set(form, veil(form, words.veiled, (count) => (show.hidden = count === 0)));
}

function release(form) {
  veils.get(form)();
  veils.delete(form);
}

function scan() {
  for (const form of [...veils.keys()]) if (!form.isConnected) release(form);
  for (const form of storedForms()) guard(form);
}

function matters({ addedNodes, removedNodes }) {
  return [...addedNodes, ...removedNodes].some(
    (node) => node.nodeType === Node.ELEMENT_NODE && (node.matches(PARTS) || node.querySelector(PARTS)),
  );
}

function activate() {
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
  let frame;
  const observer = new MutationObserver((records) => {
    if (records.some(matters))
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        scan();
      });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  scan();
}

const plugin = { id: "attention-veil:plugin", autoStart: true, activate };
const container = { init() {}, get: async () => () => plugin };
globalThis._JUPYTERLAB = { ...globalThis._JUPYTERLAB, "attention-veil": container };
