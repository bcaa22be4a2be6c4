// The veil: what follows an unanswered prediction stays out of sight in JupyterLab's notebook.
// It hides the outputs of the next code cells and the prose around them, up to the next heading,
// prediction or exercise, and at least one output. Where there is no such notebook (an
// exported page, another program) nothing is hidden.

const OUTPUT = ".jp-Cell-outputArea";
const STOPS = /\b(predict|check|progress)\(/;

// What a cell is for the veil: "prose", "heading", "output", "silent", "prediction", "stop" or,
// while JupyterLab has not put its content into the page, undefined.
function kindOf(cell) {
  if (cell.classList.contains("jp-MarkdownCell")) {
    const text = cell.querySelector(".jp-RenderedMarkdown");
    if (!text || text.childElementCount === 0) return undefined;
    return text.querySelector("h1, h2, h3, h4, h5, h6") ? "heading" : "prose";
  }
  if (!cell.classList.contains("jp-CodeCell")) return "prose";
  if (cell.querySelector(`${OUTPUT} .prediction`)) return "prediction";
  const source = cell.querySelector(".jp-InputArea-editor")?.textContent;
  if (!source) return undefined;
  const found = source.match(STOPS);
  if (found) return found[1] === "predict" ? "prediction" : "stop";
  return cell.classList.contains("jp-mod-noOutputs") ? "silent" : "output";
}

// The places to hide, from the kinds of all cells in order. Predictions in a row share what
// follows the last of them.
function veiledPlaces(kinds, own) {
  const places = [];
  let waiting = []; // prose: hidden if a result follows before anything else
  let outputs = 0;
  let headings = 0;
  for (let place = own + 1; place < kinds.length; place++) {
    const kind = kinds[place];
    const code = kind === "output" || kind === "silent";
    if (kind === "stop" || (kind === "prediction" && headings > 0)) break;
    if (outputs > 0 && !code && kind !== "prose") break;
    if (kind === "heading") headings += 1;
    if (kind === "output") outputs += 1;
    if (!code && kind !== "prose") waiting = [];
    else if (kind === "prose" && outputs === 0) waiting.push(place);
    else places.push(...waiting.splice(0), place);
  }
  return places;
}

// What happens inside an output, and it may be a lot, never moves the veil; that a cell now has
// an output does, and so does a cell that comes into the page.
function concerns({ type, target }) {
  return type === "childList" ? !target.closest?.(OUTPUT) : target.classList.contains("jp-Cell");
}

const hidden = new WeakMap(); // cell -> the predictions that hide it

function cover(cell, owner, sentence) {
  if (!hidden.has(cell)) hidden.set(cell, new Set());
  hidden.get(cell).add(owner);
  if (cell.dataset.veiled !== sentence) cell.dataset.veiled = sentence;
}

function uncover(cell, owner) {
  hidden.get(cell)?.delete(owner);
  if (!hidden.get(cell)?.size) delete cell.dataset.veiled;
}

// Veil what follows the cell of `root`; `changed(count)` hears how many cells are hidden.
// Returns a function that takes the veil away for good.
function veil(root, sentence, changed) {
  const covered = new Set();
  const seen = []; // kind by place: a notebook may keep only the cells in sight in the page
  let notebook, size, frame;
  const observer = new MutationObserver((records) => {
    if (notebook ? records.some(concerns) : root.isConnected) frame ??= requestAnimationFrame(look);
  });

  function look() {
    frame = undefined;
    if (!notebook) {
      if (!root.isConnected) return;
      observer.disconnect();
      notebook = root.closest(".jp-Notebook");
      if (!notebook || !root.closest(".jp-CodeCell")) return;
      observer.observe(notebook, { childList: true, subtree: true, attributeFilter: ["class"] });
    }
    const cells = new Map();
    for (const [order, cell] of notebook.querySelectorAll(".jp-Cell").entries())
      cells.set(Number(cell.dataset.windowedListIndex ?? order), cell);
    const own = [...cells].find(([, cell]) => cell.contains(root))?.[0];
    if (own === undefined) return;
    const most = Math.max(...cells.keys());
    if (most !== size) seen.length = 0; // cells came or went: places have moved
    size = most;
    for (const [place, cell] of cells) seen[place] = kindOf(cell) ?? seen[place];
    const now = new Set(veiledPlaces(seen, own).map((place) => cells.get(place)));
    now.delete(undefined);
    for (const cell of covered) if (!now.has(cell)) uncover(cell, root);
    for (const cell of now) cover(cell, root, sentence);
    covered.clear();
    for (const cell of now) covered.add(cell);
    changed(covered.size);
  }

  observer.observe(document.documentElement, { childList: true, subtree: true });
  look();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    for (const cell of covered) uncover(cell, root);
    covered.clear();
    changed(0);
  };
}
