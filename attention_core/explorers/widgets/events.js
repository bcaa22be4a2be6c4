// Pointer, keys and clipboard: one place for the whole explorer.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

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
    E.light();
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

// A hand in a picture: where it is on the picture's own axes. Only the newest place is sent.
function followDrags(E) {
  for (const [name, panel] of Object.entries(E.panels)) {
    if (!E.parts[name].drag) continue;
    let isHeld = false;
    let waiting = null;
    const place = (event) => {
      const svg = panel.querySelector("svg");
      const box = svg.getBoundingClientRect();
      const edge = Number(svg.dataset.edge) * (box.width / svg.viewBox.baseVal.width);
      const at = (share, size) => ((share - edge) / (size - 2 * edge)) * 2 - 1;
      const reach = Number(svg.dataset.reach);
      return { x: reach * at(event.clientX - box.left, box.width), y: -reach * at(event.clientY - box.top, box.height) };
    };
    const send = (event, grabbed) => E.ask({ do: "drag", name, grabbed, ...place(event) });
    panel.classList.add("is-draggable");
    panel.addEventListener("pointerdown", (event) => {
      isHeld = true;
      panel.setPointerCapture(event.pointerId);
      send(event, true);
    });
    panel.addEventListener("pointermove", (event) => {
      if (!isHeld) return;
      if (!waiting) requestAnimationFrame(() => { send(waiting, false); waiting = null; });
      waiting = event;
    });
    for (const end of ["pointerup", "pointercancel"]) panel.addEventListener(end, () => (isHeld = false));
  }
}

function complain(E, text) {
  E.error = text;
  E.light();
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

// Typing into a cell, as in a spreadsheet.
class Editor {
  constructor(E) {
    this.E = E;
    this.input = null;
  }

  get isOpen() {
    return Boolean(this.input);
  }

  open(at, first) {
    if (this.isOpen) this.close();
    const td = this.E.views[at.m].cells[at.r][at.c];
    this.at = at;
    this.before = whole(this.E.frames[at.m].v[at.r][at.c]);
    this.input = make("input", "attn-input", undefined, {
      inputmode: "decimal", autocomplete: "off", spellcheck: "false",
      "aria-label": this.E.views[at.m].place(0, at.r, this.E.frames[at.m]) + ", " + this.E.views[at.m].place(1, at.c, this.E.frames[at.m]),
    });
    this.input.value = first ?? this.before;
    td.append(this.input);
    this.input.focus();
    if (first === null) this.input.select();
    this.input.addEventListener("input", () => this.judge());
    this.input.addEventListener("blur", () => this.isOpen && this.accept());
  }

  // Whether what stands there is a number; a sign alone is one on its way.
  judge(isFinal = false) {
    const { reason } = parseNumber(this.input.value);
    const isBegun = !isFinal && ["", "-", "−", "+", "."].includes(this.input.value.trim());
    this.input.setAttribute("aria-invalid", String(Boolean(reason) && !isBegun));
    if (!reason || isBegun) {
      if (this.E.error) complain(this.E, "");
      return !reason;
    }
    const { words } = this.E.spec;
    const says = words[`reason_${reason}`].replace("{text}", this.input.value.trim());
    complain(this.E, `${says} ${words.keeps.replace("{old}", this.before)}`);
    return false;
  }

  accept() {
    if (!this.judge(true)) return false;
    const { value } = parseNumber(this.input.value);
    const { m, r, c } = this.at;
    const isNew = value !== this.E.frames[m].v[r][c];
    this.close();
    if (isNew) this.E.edit(m, [[r, c, value]]);
    return true;
  }

  close() {
    const { input } = this;
    this.input = null;
    input.remove();
    this.E.error = "";
    this.E.light();
  }

  key(event) {
    const view = this.E.views[this.at.m];
    const { r, c } = this.at;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
      view.focus(r, c);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      if (!this.accept()) return;
      const next = event.key === "Enter" ? [r + (event.shiftKey ? -1 : 1), c] : [r, c + (event.shiftKey ? -1 : 1)];
      if (!view.focus(...next)) view.focus(r, c);
    }
  }
}
