// The explorer: picks the picture, draws it, lights what is linked, and sends what was changed.

const PATIENCE = 3000; // ms without a reply before saying that the kernel may be gone
const PAIRS = "rc"; // readers in rows, sources in columns
let explorersMade = 0;

class Stage {
  constructor(model, el) {
    this.model = model;
    this.spec = model.get("spec");
    this.id = `attn-${++explorersMade}`;
    this.at = { ...model.get("at") };
    this.parts = this.spec.parts;
    this.named = (type) => Object.keys(this.parts).filter((name) => this.parts[name].type === type);
    this.rules = Object.fromEntries(this.named("matrix").map((m) => [m, this.parts[m].made]));
    this.toggles = new Set(this.named("matrix").filter((m) => this.parts[m].mode === "toggle"));
    this.frames = {};
    this.moved = {};
    this.error = "";
    this.veiled = new Set(); // cells that a guess keeps covered
    this.hasMoved = false;
    this.views = Object.fromEntries(
      this.named("matrix").map((m) => [m, new MatrixView(m, this.parts[m], this.spec.words, this)]),
    );
    this.readings = this.named("reading").map((name) => new ReadingView(name, this.parts[name], this));
    this.panels = Object.fromEntries(
      this.named("panel").map((name) => [name, make("div", "attn-panel", "", { "data-part": name })]),
    );
    this.more = Object.keys(MORE_VIEWS).flatMap((type) =>
      this.named(type).map((name) => new MORE_VIEWS[type](name, this.parts[name], this)),
    );
    const settings = ["choice", "preset", "slider", "check", "press"].flatMap((type) => this.named(type));
    this.controls = Object.keys(this.parts)
      .filter((name) => settings.includes(name))
      .map((name) => new ControlView(name, this.parts[name], this));
    const [m, r, c] = this.spec.selected ?? [this.named("matrix")[0], 0, 0];
    this.selected = m ? { kind: "cell", m, r, c } : { kind: "none" };
    this.hover = null;
    this.build(el);
    this.update(false);
    this.reader = this.meaning(this.selected).reader ?? 0;
    this.startGuess();
    this.bar.draw();
    this.light();
    followEvents(this);
  }

  build(el) {
    const { words } = this.spec;
    this.root = make("div", "attn attn-explorer", "", { role: "group", lang: this.model.get("lang") });
    this.bar = new MissionBar(this);
    this.head = make("div", "attn-head");
    this.formula = make("div", "attn-formula", this.spec.formula);
    this.formula.hidden = !this.spec.formula;
    const controls = make("div", "attn-controls", "", { role: "group", "aria-label": words.controls });
    for (const control of this.controls) {
      const pair = make("span", "attn-pair");
      const isNamed = ["check", "press"].includes(control.spec.type);
      pair.append(isNamed ? make("span", "lab") : control.label, control.el);
      controls.append(pair);
    }
    controls.hidden = !this.controls.length;
    this.head.append(this.formula, controls);
    this.say = make("div", "attn-say");
    this.calc = make("div", "attn-calc", '<div class="eqn"></div><div class="words"></div>', {
      role: "group", "aria-label": words.arithmetic,
    });
    this.calc.classList.toggle("is-bare", !this.named("matrix").length);
    this.changes = make("div", "attn-changes", "", { role: "group", "aria-label": words.changes });
    this.text = make("span", "txt");
    const tools = make("span", "attn-tools");
    const button = (className, text, act, title = "") => {
      const made = make("button", className, text, { type: "button", title });
      made.addEventListener("click", act);
      tools.append(made);
      return made;
    };
    this.buttons = {
      undo: button("undo", `↶ ${words.undo}`, () => this.ask({ do: "undo" }), "Ctrl+Z"),
      redo: button("redo", `↷ ${words.redo}`, () => this.ask({ do: "redo" }), "Ctrl+Shift+Z"),
      compare: button("compare", words.compare, () => this.toggleCompare()),
      again: button("again", words.again, () => this.ask({ do: "reset" })),
    };
    this.buttons.compare.setAttribute("aria-pressed", "false");
    this.changes.append(this.text, tools);
    this.legend = make("div", "attn-legend", "", { role: "group", "aria-label": words.legend });
    this.live = make("div", "attn-hidden", "", { role: "status", "aria-live": "polite" });
    this.grid = layoutOf(this);
    this.root.append(this.bar.el, this.head, this.grid, this.legend, this.live);
    el.append(this.root);
  }

  // The picture that belongs to the settings on screen, or nothing if Python must make it.
  picture() {
    let number = 0;
    for (const [name, offered] of Object.entries(this.model.get("axes"))) {
      const place = offered.indexOf(this.at[name]);
      if (place < 0) return null;
      number = number * offered.length + place;
    }
    return this.model.get("pictures")[number];
  }

  update(isAnswer = true) {
    if (isAnswer) this.at = { ...this.model.get("at") };
    const picture = this.picture();
    const note = this.model.get("note");
    this.note = note;
    // Numbers may change where the order of the frames does not: the pool tells, too.
    const isOld = picture === this.current && this.pool === this.model.get("pool");
    if (picture && !note && !isOld) this.show(picture);
    for (const control of this.controls) control.draw(this.at[control.name]);
    const [undo, redo] = this.model.get("history");
    this.buttons.undo.disabled = !undo;
    this.buttons.redo.disabled = !redo;
    this.buttons.again.disabled = !undo && !redo;
    this.bar.tick();
    this.light();
    this.root.dataset.stamp = this.model.get("stamp");
  }

  show(picture) {
    const pool = this.model.get("pool");
    const frames = Object.fromEntries(
      Object.entries(picture.frames).map(([name, place]) => [name, pool[place]]),
    );
    const before = this.frames;
    this.pool = pool;
    const isFirst = !Object.keys(before).length;
    this.frames = frames;
    this.current = picture;
    const made = Object.fromEntries(
      Object.entries(this.rules).map(([m, rule]) => [m, frames[m]?.made || rule]),
    );
    this.links = new Links(made, frames, this.toggles, this.links);
    this.arithmetic = new Arithmetic(this.parts, frames, picture.facts);
    const moved = difference(before, frames, Object.keys(this.views));
    const hasMoved = !isFirst && Object.values(moved).some((cells) => cells.size);
    if (hasMoved) {
      this.moved = moved;
      this.hasMoved = true;
      this.error = "";
      if (this.guess?.verdict) this.endGuess();
    }
    this.paint();
    if (!hasMoved) return;
    for (const [name, cells] of Object.entries(moved))
      if (cells.size) this.views[name].flash([...cells.keys()], 130 * this.links.depth(name));
    this.guess?.judge(moved);
    this.bar.tick(picture.goals);
    this.announce();
  }

  paint() {
    const compared = this.isComparing ? difference(this.model.get("first").frames, this.frames, Object.keys(this.views)) : this.moved;
    for (const [name, view] of Object.entries(this.views))
      if (this.frames[name]) view.draw(this.frames[name], compared[name] ?? new Map());
    for (const view of [...this.readings, ...this.more]) view.draw();
    for (const [name, html] of Object.entries(this.current.panels))
      if (this.panels[name].dataset.html !== html) {
        this.panels[name].innerHTML = html;
        this.panels[name].dataset.html = html;
      }
    const { words } = this.spec;
    const heads = this.isComparing
      ? [words.differs0, words.differs1, words.differsN]
      : [words.changed0, words.changed1, words.changedN];
    const isQuiet = !this.hasMoved && !this.isComparing;
    const counts = Object.values(this.parts).some((part) => part.type === "matrix");
    this.text.innerHTML = !counts ? "" : isQuiet
      ? this.quietWords()
      : `<span class="dot"></span>${describe(compared, this.parts, words, heads)}`;
    fit(this.text);
    drawLegend(this);
    this.root.dataset.changed = Object.values(this.moved).reduce((sum, cells) => sum + cells.size, 0);
  }

  quietWords() {
    const { words } = this.spec;
    if (this.toggles.size) return words.quietMask;
    return Object.values(this.parts).some((part) => part.mode === "edit") ? words.quiet : words.quietPlain;
  }

  toggleCompare() {
    this.isComparing = !this.isComparing;
    this.buttons.compare.setAttribute("aria-pressed", String(this.isComparing));
    this.paint();
    this.light();
    this.announce();
  }

  announce() {
    this.live.textContent = `${this.text.textContent} ${this.say.textContent}`;
  }

  // Settings: what is prepared is shown at once; Python hears of it in any case.
  choose(indices) {
    this.at = { ...this.at, ...indices };
    const isPrepared = Object.keys(indices).every((name) => this.spec.framed.includes(name));
    const picture = isPrepared && !this.note ? this.picture() : null;
    if (picture) this.show(picture);
    for (const control of this.controls) control.draw(this.at[control.name]);
    this.light();
    this.model.set("at", this.at);
    this.wait();
    try {
      this.model.save_changes();
    } catch {
      this.sleepy();
    }
  }

  ask(message) {
    this.wait();
    try {
      this.model.send(message);
    } catch {
      this.sleepy();
    }
  }

  edit(name, cells) {
    const inside = cells.filter(([r, c]) => this.frames[name].v[r]?.[c] !== undefined);
    if (inside.length) this.ask({ do: "edit", name, cells: inside });
  }

  wait() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.sleepy(), PATIENCE);
  }

  sleepy() {
    clearTimeout(this.waiting);
    this.isAsleep = true;
    this.light();
    this.live.textContent = this.spec.words.asleep;
  }

  heard() {
    clearTimeout(this.waiting);
    this.isAsleep = false;
    this.update();
  }

  // Guesses.
  startGuess() {
    this.endGuess();
    const mission = this.bar.current;
    const kinds = { cells: CellGuess, row: RowGuess };
    if (mission && kinds[mission.type] && !this.bar.done.has(this.bar.now))
      this.guess = new kinds[mission.type](this, mission, this.bar.now);
    if (this.guess?.veil) this.paint();
    this.root.classList.toggle("is-guessing", Boolean(this.guess));
  }

  endGuess() {
    this.guess?.clear();
    const wasVeiled = this.veiled?.size;
    this.guess = null;
    this.veiled = new Set();
    if (wasVeiled) this.paint();
    this.root.classList.remove("is-guessing");
  }

  applyGuess(mission, number) {
    if (mission.at && Object.keys(mission.at).length) this.choose(mission.at);
    else this.ask({ do: "reveal", mission: number });
  }

  // What a cell stands for: which reader, which source, which token, which feature.
  meaning(at) {
    if (!at || at.kind === "mat" || at.kind === "none") return {};
    if (at.kind !== "cell") return { [at.kind]: at.r };
    const [row, col] = this.views[at.m].kinds();
    const meant = {};
    if (row) meant[row] = at.r;
    if (col) meant[col] = at.c;
    return meant;
  }

  get active() {
    return this.hover ?? this.selected;
  }

  select(at) {
    this.selected = at;
    this.error = "";
    const { reader, token } = this.meaning(at);
    this.reader = reader ?? token ?? this.reader;
    if (at.kind === "cell") this.views[at.m].rove(at.r, at.c);
    this.light();
  }

  // Everything that follows from the cell that is pointed at or selected. No call to Python.
  light() {
    if (!this.links) return;
    const at = this.error ? this.selected : this.active;
    const lists = Object.fromEntries(Object.keys(this.views).map((m) => [m, []]));
    const add = (kind, cells) => {
      for (const m of Object.keys(lists)) {
        const own = cells.filter((cell) => cell.m === m);
        if (own.length) lists[m].push({ kind, cells: own });
      }
    };
    const lit = new Set();
    if (at.kind === "cell" && this.frames[at.m]?.v[at.r]?.[at.c] !== undefined) {
      const { near, far } = this.links.consequences(at);
      const made = this.links.made_of(at);
      add("far", far);
      add("via", this.links.partners(at));
      add("con", near);
      add("src", made);
      [at, ...made].forEach((cell) => lit.add(cell.m));
    } else if (at.kind === "mat") lit.add(at.m);
    else if (at.kind !== "none") {
      for (const [m, view] of Object.entries(this.views)) {
        const [row, col] = view.kinds();
        const [rows, cols] = this.links.shape(m);
        const isRow = row === at.kind || row === "token";
        if (isRow && at.r < rows)
          add(view.spec.mode === "read" && row === "reader" && col === "source" ? "src" : "via", [...Array(cols).keys()].map((c) => ({ m, r: at.r, c })));
        if (col === at.kind && at.r < cols) add("con", [...Array(rows).keys()].map((r) => ({ m, r, c: at.r })));
      }
    }
    const meant = this.meaning(at);
    const reader = meant.reader ?? meant.token ?? (at.kind === "reader" ? at.r : this.reader);
    for (const [m, view] of Object.entries(this.views)) {
      if (!this.frames[m]) continue;
      view.light(lists[m]);
      view.mark(this.selected.m === m && this.selected.kind === "cell" ? this.selected : null, "is-selected");
      view.mark(at.kind === "cell" && at.m === m ? at : null, "is-active");
      view.el.classList.toggle("is-lit", at.kind === "mat" && at.m === m);
      view.lightLabels(...this.litLabels(view, meant));
    }
    for (const el of this.root.querySelectorAll(".attn-formula [data-mat]"))
      (el.closest(".brace") ?? el).classList.toggle("is-lit", lit.has(el.dataset.mat));
    this.root.querySelectorAll(".elbow").forEach((el, k) => el.classList.toggle("is-lit", meant.feature === k));
    for (const el of this.root.querySelectorAll(".attn-panel [data-cell]")) {
      const [m, r, c] = el.dataset.cell.split(" ");
      const all = Object.values(lists).flat().flatMap(({ cells }) => cells);
      const isIt = [at, ...all].some((x) => x.m === m && x.r === Number(r) && x.c === Number(c));
      el.classList.toggle("is-lit", isIt);
    }
    for (const view of [...this.readings, ...this.more]) view.light(reader, meant.source);
    const lines = this.current?.summary ?? [];
    const line = lines[Math.min(reader, lines.length - 1)] ?? "";
    if (this.say.dataset.html !== line) {
      this.say.innerHTML = `<span>${line}</span>`;
      this.say.dataset.html = line;
    }
    this.drawCalc(at);
  }

  litLabels(view, { reader, source, token, feature }) {
    const [row, col] = view.kinds();
    const pick = (kind) => {
      if (kind === "reader" && (reader ?? token) !== undefined) return [reader ?? token, reader === undefined ? "n" : "q"];
      if (kind === "source" && (source ?? token) !== undefined) return [source ?? token, source === undefined ? "n" : "k"];
      if (kind === "token" && (token ?? reader ?? source) !== undefined)
        return [token ?? reader ?? source, token !== undefined ? "n" : reader !== undefined ? "q" : "k"];
      if (kind === "feature" && feature !== undefined) return [feature, "n"];
      return null;
    };
    return [pick(row), pick(col)];
  }

  // The strip of fixed height: the arithmetic above, the words below.
  drawCalc(at) {
    const [equation, words] = this.calc.children;
    const problem = this.note || this.error || (this.isAsleep ? this.spec.words.asleep : "");
    this.calc.classList.toggle("is-error", Boolean(problem));
    let html = "";
    let text = "";
    let role = "n";
    if (at.kind === "cell" && this.frames[at.m]?.v[at.r]?.[at.c] !== undefined) {
      const spec = this.parts[at.m];
      const view = this.views[at.m];
      const frame = this.frames[at.m];
      const [rows, cols] = view.labels(frame);
      const isHidden = Boolean(frame.h?.[at.r]?.[at.c]);
      const fill = { row: rows[at.r], col: cols[at.c], i: at.r + 1, j: at.c + 1, "=": frame.x[at.r][at.c] };
      role = spec.role;
      html = this.arithmetic.of(at);
      text = ((isHidden && spec.hiddenWords) || spec.words).replace(
        /\{(row|col|i|j|=)\}/g, (_, name) => Object.assign(make("b"), { textContent: fill[name] }).outerHTML,
      );
      if (frame.m?.[at.r]?.[at.c] && spec.mark) text += ` ${spec.mark}`;
    } else if (at.kind === "mat") {
      const { symbol, equation: rest, about } = this.parts[at.m];
      role = this.parts[at.m].role;
      const [rows, cols] = this.links.shape(at.m);
      html = `${symbol} ${rest} <span class="size">${rows} × ${cols}</span>`;
      text = about;
    }
    this.calc.dataset.role = role;
    if (html) equation.innerHTML = html;
    if (problem) words.textContent = problem;
    else words.innerHTML = text;
    for (const line of [equation, words]) fit(line);
  }
}

// Text too large for its place is set smaller rather than cut: measured once, before the frame.
const toFit = new Set();

function fit(place) {
  if (!toFit.size) requestAnimationFrame(fitAll);
  toFit.add(place);
}

function fitAll() {
  const places = [...toFit];
  toFit.clear();
  for (const place of places) if (place.style.fontSize) place.style.fontSize = "";
  const sizes = places.map((place) => {
    const share = (room, needed) => (room && needed > room + 1 ? room / needed : 1);
    const wide = share(place.clientWidth, place.scrollWidth);
    const isBox = place.classList.contains("txt");
    const high = isBox ? Math.sqrt(share(place.clientHeight, place.scrollHeight)) : 1;
    return Math.max(45, Math.floor(100 * Math.min(wide, high)) - 2);
  });
  places.forEach((place, k) => {
    if (sizes[k] < 98) place.style.fontSize = `${sizes[k]}%`;
  });
}

function layoutOf(E) {
  const places = {
    say: E.say, calc: E.calc, changes: E.changes,
    ...Object.fromEntries(Object.entries(E.views).map(([name, view]) => [name, view.el])),
    ...Object.fromEntries([...E.readings, ...E.more].map((view) => [view.name, view.el])),
  };
  for (const [name, el] of Object.entries(E.panels)) {
    const { label, height } = E.parts[name];
    const box = make("figure", "attn-figure", label ? `<figcaption>${label}</figcaption>` : "");
    if (height) el.style.height = `${height}px`;
    box.append(el);
    places[name] = box;
  }
  const { areas, rows } = E.spec;
  const named = (areas ? Object.values(areas) : rows).flat(3);
  const grid = make("div", areas ? "attn-grid" : "attn-rows");
  if (!named.includes("say")) grid.append(E.say);
  if (areas)
    for (const [area, names] of Object.entries(areas)) grid.append(areaOf(E, area, names, places));
  else
    for (const names of rows) {
      const row = make("div", "attn-row");
      row.append(...names.map((name) => (Array.isArray(name) ? groupOf(name, places) : places[name])));
      grid.append(row);
    }
  for (const name of ["calc", "changes"]) if (!named.includes(name)) grid.append(places[name]);
  return grid;
}

// Three matrices as a product is written: the left factor, the right one above, the product.
function groupOf([top, left, product], places) {
  const box = make("div", "attn-product");
  box.append(make("span"), places[top], places[left], places[product]);
  return box;
}

function areaOf(E, area, names, places) {
  const single = names.length === 1 && ["say", "calc", "changes", "read"].includes(area);
  if (single) return places[names[0]];
  const box = make("div", `attn-${area}`);
  if (area === "proj") {
    const features = E.parts[names.find((name) => E.parts[name].reads === "tf")]?.cols ?? [];
    const axis = make("div", "attn-feat", "", { "aria-hidden": "true" });
    features.forEach((text, k) => {
      const elbow = make("div", "elbow", "<span></span>");
      elbow.style.setProperty("--f", k);
      elbow.firstChild.textContent = text;
      axis.append(elbow);
    });
    axis.style.setProperty("--features", features.length);
    box.append(axis);
  }
  box.append(...names.map((name) => places[name]));
  return box;
}

function drawLegend(E) {
  const { words } = E.spec;
  const frames = Object.values(E.frames);
  const has = (kind) => frames.some((frame) => frame.kind === kind);
  const { scale } = E.current;
  const swatch = (kind, t) => `<i class="attn-fill ${fillClass(kind, t)}" style="--t:${Math.abs(t)}"></i>`;
  const bar = (kind, ts) => `<span class="bar" aria-hidden="true">${ts.map((t) => swatch(kind, t)).join("")}</span>`;
  const steps = (n) => Array.from({ length: n + 1 }, (_, k) => k / n);
  const one = (html) => `<span class="one">${html}</span>`;
  const box = (style) => `<span class="key" style="border:2.5px ${style} var(--n)"></span>`;
  const items = [
    has("signed") ? `${words.value} −${cellText(scale)} ${bar("signed", [...steps(8).slice(1).map((t) => -t).reverse(), ...steps(8)])} ${cellText(scale)}` : "",
    has("weight") ? `${words.weight} 0 ${bar("weight", steps(10))} 1` : "",
    E.toggles.size || frames.some((frame) => frame.h) ? `<span class="key attn-fill is-masked"></span>${words.hidden}` : "",
    frames.some((frame) => frame.u) ? `<span class="key attn-fill is-unknown"></span>${words.unknown}` : "",
    Object.values(E.parts).some((part) => part.mode === "edit") ? `<span class="dotted">1.5</span>${words.edit}` : "",
    Object.values(E.rules).some(Boolean) ? `${box("solid")}${words.from}` : "",
    Object.values(E.rules).some(Boolean) ? `${box("dashed")}${words.to}` : "",
    `<span class="attn-tag">0.04</span>${words.old}`,
  ];
  const html = items.filter(Boolean).map(one).join("");
  if (E.legend.dataset.html !== html) {
    E.legend.innerHTML = html;
    E.legend.dataset.html = html;
  }
}

function render({ model, el }) {
  const stage = new Stage(model, el);
  const hear = () => stage.heard();
  model.on("change:stamp", hear);
  return () => {
    clearTimeout(stage.waiting);
    model.off("change:stamp", hear);
  };
}

export default { render };
