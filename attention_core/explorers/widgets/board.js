// Every cell in the row of one reader, written out: one column a step.

class BoardView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.el = make("div", "attn-board", "", { "data-part": name });
    this.columns = Object.entries(spec.of).map(([m, title]) => {
      const column = make("div", "step", `<div class="head">${title}</div><div class="lines"></div>`);
      column.dataset.step = m;
      this.el.append(column);
      return [m, column.lastChild];
    });
  }

  draw() {
    this.light(this.E.reader ?? 0);
  }

  light(reader) {
    for (const [m, lines] of this.columns) {
      const frame = this.E.frames[m];
      const row = frame?.v[reader] ?? [];
      const html = row
        .map((_, c) => `<div class="eqn" data-cell="${m} ${reader} ${c}">${this.E.arithmetic.of({ m, r: reader, c })}</div>`)
        .join("");
      if (lines.dataset.html === html) continue;
      lines.innerHTML = html;
      lines.dataset.html = html;
      for (const line of lines.children) fit(line);
    }
  }
}
