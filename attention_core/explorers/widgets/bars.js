// The row of the reader as bars.

// The reader and the source that are meant by what is pointed at or selected.
function pairOf(E, of) {
  const at = E.active;
  const frame = E.frames[of];
  const meant = E.meaning(at);
  const r = Math.min(meant.reader ?? E.reader ?? 0, frame.v.length - 1);
  const row = frame.v[r];
  return [r, Math.min(meant.source ?? row.indexOf(Math.max(...row)), row.length - 1)];
}

class BarsView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.el = make("div", "attn-bars", "", { "data-part": name });
  }

  draw() {}

  light() {
    const { series, of } = this.E.current.data[this.name];
    const [r, c] = pairOf(this.E, of);
    const [rows, cols] = this.E.views[of].labels(this.E.frames[of]);
    const key = JSON.stringify([r, c, rows, this.E.stage, series.map(({ x }) => x[r])]);
    if (key === this.drawn) return;
    this.drawn = key;
    const caption = make("div", "cap");
    caption.append(Object.assign(make("b", "r-q"), { textContent: rows[r] }));
    for (const { role, label } of series)
      caption.append(make("span", "one", `<i data-role="${role}"></i>${label}`));
    const line = make("div", "line", "", { role: "img" });
    line.setAttribute("aria-label", `${rows[r]}: ${cols.map((text, j) => `${text} ${series.map(({ x }) => x[r][j]).join(" / ")}`).join(", ")}`);
    cols.forEach((text, j) => {
      const one = make("div", `bar${j === c ? " is-lit" : ""}`, "", { "data-cell": `${of} ${r} ${j}` });
      const columns = make("div", "columns");
      for (const { v, role } of series) {
        const part = make("i", "", "", { "data-role": role });
        part.style.height = `${100 * Math.abs(v[r][j] ?? 0)}%`;
        columns.append(part);
      }
      const value = this.E.frames[of].v[r][j] >= 0.095 ? this.E.frames[of].x[r][j] : "";
      one.append(make("span", "num", value), columns, Object.assign(make("span", "nm"), { textContent: text }));
      line.append(one);
    });
    this.el.style.setProperty("--count", cols.length);
    this.el.replaceChildren(caption, line);
  }
}
