// The explorer: picks the picture, draws it, lights what is linked, and sends what was changed.

let explorersMade = 0;
const MORE_VIEWS = { board: BoardView, text: TextView, wall: WallView, bars: BarsView, pair: PairView };

class Stage extends Wire {
  constructor(model, el) {
    super(model);
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
    buildPage(this, el);
    this.update(false);
    this.reader = this.meaning(this.selected).reader ?? 0;
    this.startGuess();
    this.bar.draw();
    lightUp(this);
    followEvents(this);
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
    if (this.model.get("done").includes(this.guess?.number)) this.guess.judge({}); // nothing has moved
    for (const control of this.controls) control.draw(this.at[control.name]);
    const [undo, redo] = this.model.get("history");
    this.buttons.undo.disabled = !undo;
    this.buttons.redo.disabled = !redo;
    const isNewRound = isAnswer && this.round !== this.model.get("round");
    this.round = this.model.get("round");
    if (isNewRound) this.bar.restart();
    else this.bar.tick();
    this.buttons.again.disabled = !undo && !redo && !this.bar.done.size;
    lightUp(this);
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
    const hasMoved = !isFirst && Object.values(moved).some((cells) => cells.size || cells.isRenewed);
    if (hasMoved) {
      this.moved = moved;
      this.hasMoved = true;
      this.error = "";
      if (this.guess?.verdict) this.endGuess();
    }
    this.paint();
    if (!hasMoved) return this.guess?.judge({});
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
        this.panels[name].parentElement?.classList.toggle("has-svg", html.startsWith("<svg"));
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
    lightUp(this);
    this.announce();
  }

  announce() {
    this.live.textContent = `${this.text.textContent} ${this.say.textContent}`;
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
    const names = Object.keys(mission.at ?? {});
    if (names.length && names.every((name) => this.spec.framed.includes(name))) this.choose(mission.at);
    else this.ask({ do: "reveal", mission: number });
  }

  // What a cell stands for: which reader, which source, which token, which feature.
  meaning(at) {
    if (!at || at.kind === "mat" || at.kind === "none") return {};
    if (at.kind !== "cell") return { [at.kind]: at.r };
    const [row, col] = this.views[at.m].kinds();
    const meant = {};
    const [r, c] = [at.r, at.c].map((place) => this.views[at.m].tokenAt(place));
    if (row && r !== undefined) meant[row] = r;
    if (col && c !== undefined) meant[col] = c;
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
    lightUp(this);
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
