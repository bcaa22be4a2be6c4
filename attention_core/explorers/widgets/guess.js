// Guesses: mark the cells that will change, or draw a row of weights; then the truth over it.

class CellGuess {
  constructor(E, mission, number) {
    Object.assign(this, { E, mission, number, marks: new Set(), verdict: "" });
  }

  takes(name) {
    return !this.verdict && this.mission.among.includes(name);
  }

  isReady() {
    return true;
  }

  // With nothing marked the answer is that nothing changes.
  get answer() {
    return this.marks.size ? "show" : "nothing";
  }

  // One cell, or all of a row.
  toggle(m, cells) {
    const keys = cells.map(({ r, c }) => cellKey(m, r, c));
    const isOn = keys.every((key) => this.marks.has(key));
    for (const key of keys) isOn ? this.marks.delete(key) : this.marks.add(key);
    this.draw();
  }

  draw() {
    for (const m of this.mission.among)
      this.E.views[m].cells.forEach((line, r) =>
        line.forEach((td, c) => td.classList.toggle("is-guess", this.marks.has(cellKey(m, r, c)))),
      );
    this.E.bar.draw();
  }

  clear() {
    for (const look of ["is-guess", "is-hit", "is-missed", "is-wrong"])
      this.E.root.querySelectorAll(`.${look}`).forEach((td) => td.classList.remove(look));
  }

  reveal() {
    this.isWaiting = true;
    this.E.applyGuess(this.mission, this.number);
  }

  // The change has come: compare.
  judge(moved) {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    const changed = new Set(
      this.mission.among.flatMap((m) => [...(moved[m]?.keys() ?? [])].map((place) => `${m} ${place}`)),
    );
    const count = { hit: 0, wrong: 0 };
    for (const m of this.mission.among)
      this.E.views[m].cells.forEach((line, r) =>
        line.forEach((td, c) => {
          const key = cellKey(m, r, c);
          const [is, was] = [changed.has(key), this.marks.has(key)];
          td.classList.remove("is-guess");
          if (is && was) count.hit++;
          if (was && !is) count.wrong++;
          if (is || was) td.classList.add(is && was ? "is-hit" : is ? "is-missed" : "is-wrong");
        }),
      );
    const { guessed, guessedNothing } = this.E.spec.words;
    this.verdict = (this.marks.size || changed.size ? guessed : guessedNothing)
      .replace("{marked}", this.marks.size)
      .replace("{hit}", count.hit)
      .replace("{moved}", changed.size)
      .replace("{wrong}", count.wrong);
    this.E.bar.add(this.number);
    this.E.bar.draw();
  }
}

class RowGuess {
  constructor(E, mission, number) {
    Object.assign(this, { E, mission, number, verdict: "", touched: false });
    this.el = make("div", "attn-guess", "", { role: "group", "aria-label": mission.plain });
    const [, sources] = E.views[mission.of].labels(E.frames[mission.of]);
    const lines = sources.length > 12 ? 3 : sources.length > 6 ? 2 : 1;
    this.el.style.setProperty("--wide", Math.ceil(sources.length / lines));
    this.el.style.setProperty("--narrow", Math.ceil(sources.length / Math.max(lines, sources.length > 3 ? 2 : 1)));
    this.inputs = sources.map((text) => {
      const label = make("label", "");
      const name = Object.assign(make("span", "nm"), { textContent: text, title: text });
      const input = make("input", "", undefined, { type: "range", min: 0, max: 1, step: 0.05 });
      input.value = 0;
      const output = make("output", "num", "0");
      input.addEventListener("input", () => {
        this.touched = true;
        output.textContent = weightText(Number(input.value));
        E.bar.draw();
      });
      label.append(name, input, output);
      this.el.append(label);
      return { input, output };
    });
    E.calc.append(this.el);
    if (!mission.at || !Object.keys(mission.at).length) this.cover();
  }

  // The row that is drawn, and all that follows from it, stays covered until it is shown.
  cover() {
    const { of: m, row } = this.mission;
    this.veil = true;
    this.E.frames[m].v[row].forEach((_, c) => {
      this.E.veiled.add(cellKey(m, row, c));
      const { near, far } = this.E.links.consequences({ m, r: row, c });
      for (const cell of [...near, ...far]) this.E.veiled.add(cellKey(cell.m, cell.r, cell.c));
    });
    this.E.root.classList.add("is-veiling");
  }

  uncover() {
    this.E.veiled.clear();
    this.E.root.classList.remove("is-veiling");
    this.E.paint();
  }

  takes() {
    return false;
  }

  isReady() {
    return this.touched;
  }

  get answer() {
    return "show";
  }

  clear() {
    this.el.remove();
    this.E.root.classList.remove("is-veiling");
  }

  draw() {}

  reveal() {
    this.isWaiting = true;
    const isChange = this.mission.at === null || Object.keys(this.mission.at).length > 0;
    if (isChange) this.E.applyGuess(this.mission, this.number);
    if (this.isWaiting && !isChange) this.judge();
  }

  judge() {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.uncover();
    const frame = this.E.frames[this.mission.of];
    const truth = frame.v[this.mission.row];
    const gaps = this.inputs.map(({ input, output }, k) => {
      const weight = truth[k] ?? 0;
      input.disabled = true;
      output.innerHTML = `${weightText(Number(input.value))} → <b>${frame.x[this.mission.row][k]}</b>`;
      input.style.setProperty("--truth", weight);
      return Math.abs(weight - Number(input.value));
    });
    this.el.classList.add("is-shown");
    this.verdict = this.E.spec.words.rowGuessed.replace("{gap}", weightText(Math.max(...gaps)));
    this.E.bar.add(this.number);
    this.E.bar.draw();
  }
}
