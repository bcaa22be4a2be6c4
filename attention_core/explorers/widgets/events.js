// Pointer, keys and clipboard: one place for the whole explorer.

function cellUnder(event) {
  const td = event.target.closest?.("td.attn-cell");
  const matrix = td?.closest(".attn-mat");
  return matrix ? { kind: "cell", m: matrix.dataset.m, r: Number(td.dataset.row), c: Number(td.dataset.col) } : null;
}

function thingUnder(event) {
  const cell = cellUnder(event);
  if (cell) return cell;
  const { target } = event;
  const marked = target.closest?.("[data-cell]");
  if (marked) {
    const [m, r, c] = marked.dataset.cell.split(" ");
    return { kind: "cell", m, r: Number(r), c: Number(c) };
  }
  const ribbon = target.closest?.("path.pick");
  if (ribbon) return { kind: "cell", m: ribbon.dataset.mat, r: Number(ribbon.dataset.row), c: Number(ribbon.dataset.col) };
  const token = target.closest?.("[data-token]");
  if (token) return { kind: token.dataset.token, r: Number(token.dataset.k) };
  const named = target.closest?.("[data-mat]");
  if (named) return { kind: "mat", m: named.dataset.mat };
  const title = target.closest?.(".attn-title");
  return title ? { kind: "mat", m: title.parentElement.dataset.m } : null;
}

function followEvents(E) {
  const { root } = E;
  followDrags(E);
  const editor = new Editor(E);
  let byKeys = false; // after a key, a resting pointer no longer previews
  const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const point = (at) => {
    if (isSame(at, E.hover)) return;
    E.hover = at;
    lightUp(E);
  };
  root.addEventListener("pointermove", (event) => {
    if (event.movementX || event.movementY) byKeys = false;
  });
  root.addEventListener("pointerover", (event) => {
    if (!editor.isOpen && !byKeys) point(thingUnder(event));
  });
  root.addEventListener("pointerleave", () => !editor.isOpen && point(null));
  root.addEventListener("focusin", (event) => {
    const at = thingUnder(event);
    if (!at || (!event.target.matches(":focus-visible") && at.kind !== "cell")) return;
    if (at.kind === "mat") return point(at);
    E.hover = null;
    E.select(at);
  });
  root.addEventListener("focusout", (event) => {
    if (E.hover?.kind === "mat" && event.target.dataset?.mat) point(null);
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest(".attn-input")) return;
    const at = thingUnder(event);
    if (!at) return;
    if (at.kind === "mat") return E.views[at.m].focus(0, 0);
    const isRibbon = Boolean(event.target.closest("path"));
    if (E.guess && !isRibbon && markGuess(E, event, at)) return;
    E.hover = null;
    if (at.kind === "cell" && !isRibbon && E.views[at.m]?.cells.length && cellUnder(event)) {
      E.views[at.m].focus(at.r, at.c);
      if (E.toggles.has(at.m)) toggleCell(E, at);
    }
    E.select(at);
  });
  root.addEventListener("dblclick", (event) => {
    const at = cellUnder(event);
    if (at && E.parts[at.m].mode === "edit" && !E.guess?.takes(at.m)) editor.open(at, null);
  });
  root.addEventListener("keydown", (event) => {
    const isChord = event.ctrlKey || event.metaKey;
    if (isChord && !editor.isOpen && ["z", "y"].includes(event.key.toLowerCase())) {
      event.preventDefault();
      event.stopPropagation();
      const isRedo = event.shiftKey || event.key.toLowerCase() === "y";
      return E.ask({ do: isRedo ? "redo" : "undo" });
    }
    const isOurs = isChord && ["c", "v", "x", "a", "z"].includes(event.key.toLowerCase());
    if (isChord && !isOurs) return; // Ctrl+S and its like belong to JupyterLab
    event.stopPropagation(); // letters typed here are not notebook commands
    if (isChord || event.altKey) return;
    byKeys = true;
    if (E.hover) point(null);
    if (editor.isOpen) return editor.key(event);
    const at = cellUnder(event);
    if (at) cellKeyDown(E, editor, event, at);
    else readerKeyDown(E, event);
  });
  root.addEventListener("paste", (event) => {
    const at = cellUnder(event) ?? (editor.isOpen ? editor.at : null);
    if (!at || E.parts[at.m].mode !== "edit") return;
    const block = parseBlock(event.clipboardData.getData("text"));
    if (editor.isOpen && (!block || block.flat().length === 1)) return;
    event.preventDefault();
    event.stopPropagation();
    if (editor.isOpen) editor.close();
    if (!block) return complain(E, E.spec.words.block);
    E.edit(at.m, block.flatMap((line, i) => line.map((x, j) => [at.r + i, at.c + j, x])));
  });
}

function complain(E, text) {
  E.error = text;
  lightUp(E);
  E.live.textContent = text;
}

function markGuess(E, event, at) {
  const cells = at.kind === "cell" && cellUnder(event) ? [at] : null;
  const matrix = event.target.closest(".attn-mat")?.dataset.m;
  if (!matrix || !E.guess.takes(matrix)) return false;
  const [rows, cols] = E.links.shape(matrix);
  const row = event.target.closest("tbody th");
  const column = event.target.closest("thead th");
  if (cells) E.views[matrix].focus(at.r, at.c);
  else if (row) return E.guess.toggle(matrix, [...Array(cols).keys()].map((c) => ({ r: at.r, c }))) ?? true;
  else if (column) return E.guess.toggle(matrix, [...Array(rows).keys()].map((r) => ({ r, c: at.r }))) ?? true;
  else return false;
  E.guess.toggle(matrix, cells);
  E.select(at);
  return true;
}

function toggleCell(E, { m, r, c }) {
  E.edit(m, [[r, c, Boolean(E.frames[m].h?.[r]?.[c])]]);
}
