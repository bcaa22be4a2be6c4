// What is pointed at or selected, lit everywhere. No call to Python.

function lightUp(E) {
  if (!E.links) return;
  const at = E.error ? E.selected : E.active;
  const linked = linkedWith(E, at);
  const meant = E.meaning(at);
  const reader = meant.reader ?? meant.token ?? (at.kind === "reader" ? at.r : E.reader);
  for (const [m, view] of Object.entries(E.views)) if (E.frames[m]) lightMatrix(E, view, at, linked, meant);
  lightFormula(E, at, linked, meant);
  lightPanels(E, at, linked);
  for (const view of [...E.readings, ...E.more]) view.light(reader, meant.source);
  const lines = E.current?.summary ?? [];
  const line = lines[Math.min(reader, lines.length - 1)] ?? "";
  if (E.say.dataset.html !== line) {
    E.say.innerHTML = `<span>${line}</span>`;
    E.say.dataset.html = line;
    fit(E.say.firstChild);
  }
  drawCalc(E, at);
}

// [{ kind, cells }]: what a cell is made of, what it goes into; or the row or column that is meant.
function linkedWith(E, at) {
  if (at.kind === "mat" || at.kind === "none") return [];
  if (at.kind !== "cell") return rowsAndColumns(E, at);
  if (E.frames[at.m]?.v[at.r]?.[at.c] === undefined) return [];
  const { near, far } = E.links.consequences(at);
  return [
    { kind: "far", cells: far },
    { kind: "via", cells: E.links.partners(at) },
    { kind: "con", cells: near },
    { kind: "src", cells: E.links.made_of(at) },
  ];
}

function rowsAndColumns(E, at) {
  return Object.entries(E.views).flatMap(([m, view]) => {
    const [row, col] = view.kinds();
    const [rows, cols] = E.links.shape(m);
    const found = [];
    const place = view.placeOf(at.r);
    const isWeights = view.spec.mode === "read" && row === "reader" && col === "source";
    if ((row === at.kind || row === "token") && place >= 0 && place < rows)
      found.push({ kind: isWeights ? "src" : "via", cells: [...Array(cols).keys()].map((c) => ({ m, r: place, c })) });
    if (col === at.kind && place >= 0 && place < cols)
      found.push({ kind: "con", cells: [...Array(rows).keys()].map((r) => ({ m, r, c: place })) });
    return found;
  });
}

function lightMatrix(E, view, at, linked, meant) {
  const m = view.name;
  const isCell = at.kind === "cell" && at.m === m;
  const own = linked.map(({ kind, cells }) => ({ kind, cells: cells.filter((cell) => cell.m === m) }));
  view.light(own.filter(({ cells }) => cells.length));
  view.mark(E.selected.m === m && E.selected.kind === "cell" ? E.selected : null, "is-selected");
  view.mark(isCell ? at : null, "is-active");
  view.el.classList.toggle("is-lit", at.kind === "mat" && at.m === m);
  view.lightLabels(...litLabels(view, meant));
  if (view.frame.tokens) sayAbsent(E, view, [meant.reader ?? E.reader, meant.source]);
}

// A matrix of another text: which of the tokens that are meant it does not have.
function sayAbsent(E, view, meant) {
  const whole = Object.values(E.views).find((one) => one.kinds()[0] === "reader" && !one.frame.tokens);
  const names = whole.labels(whole.frame)[0];
  const absent = new Set(meant.filter((token) => view.placeOf(token) === -1).map((token) => `“${names[token]}”`));
  view.equation.innerHTML = view.spec.equation;
  if (absent.size) view.equation.append(` · ${E.spec.words.absent.replace("{tokens}", [...absent].join(" "))}`);
}

function lightFormula(E, at, linked, meant) {
  const made = linked.find(({ kind }) => at.kind === "cell" && kind === "src")?.cells ?? [];
  const lit = new Set([at, ...made].map(({ m }) => m));
  for (const el of E.root.querySelectorAll(".attn-formula [data-mat]"))
    (el.closest(".brace") ?? el).classList.toggle("is-lit", lit.has(el.dataset.mat));
  E.root.querySelectorAll(".elbow").forEach((el, k) => el.classList.toggle("is-lit", meant.feature === k));
}

function lightPanels(E, at, linked) {
  const lit = new Set([at, ...linked.flatMap(({ cells }) => cells)].map(({ m, r, c }) => cellKey(m, r, c)));
  for (const el of E.root.querySelectorAll(".attn-panel [data-cell]"))
    el.classList.toggle("is-lit", lit.has(el.dataset.cell));
}

function litLabels(view, { reader, source, token, feature }) {
  const [row, col] = view.kinds();
  const pick = (kind) => {
    const here = (wanted) => view.placeOf(wanted ?? token);
    if (kind === "reader" && here(reader) !== undefined) return [here(reader), reader === undefined ? "n" : "q"];
    if (kind === "source" && here(source) !== undefined) return [here(source), source === undefined ? "n" : "k"];
    if (kind === "token" && (token ?? reader ?? source) !== undefined)
      return [token ?? reader ?? source, token !== undefined ? "n" : reader !== undefined ? "q" : "k"];
    if (kind === "feature" && feature !== undefined) return [feature, "n"];
    return null;
  };
  return [pick(row), pick(col)];
}
