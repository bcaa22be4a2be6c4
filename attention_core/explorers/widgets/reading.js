// Who reads whom: one ribbon from each reader to each source, as wide as the weight.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 42;

class ReadingView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E, built: "" });
    this.el = make("div", "attn-read", "", { "data-part": name });
  }

  get frame() {
    return this.E.frames[this.spec.weights];
  }

  tokens() {
    return this.E.views[this.spec.weights].labels(this.frame);
  }

  build() {
    const [readers, sources] = this.tokens();
    const height = this.spec.high || LINE * Math.max(readers.length, sources.length);
    const isLow = height / Math.max(readers.length, sources.length) < 34;
    this.el.classList.toggle("is-low", isLow);
    this.el.style.setProperty("--line", `${height / Math.max(readers.length, sources.length)}px`);
    const { words } = this.E.spec;
    this.el.innerHTML =
      `<div class="attn-flow" style="--high:${height}px"><div class="hd l"><b class="r-q">${words.reader}</b></div>` +
      `<div></div><div class="hd r"><b class="r-k">${words.source}</b></div></div>`;
    const column = (className, attributes = {}) => make("div", `col ${className}`, "", attributes);
    const left = column("strips l");
    const from = column("from", { role: "radiogroup", "aria-label": words.reader });
    const to = column("to");
    const right = column("strips r");
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("viewBox", `0 0 100 ${height}`);
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.svg.setAttribute("role", "img");
    this.el.firstChild.append(left, from, this.svg, to, right);
    this.strips = { output: [], values: [] };
    const strip = (role, where, list) => {
      const el = make("span", "strip", "", { "data-role": role });
      where.append(el);
      list.push(el);
    };
    this.from = readers.map((text, k) => {
      strip("o", left, this.strips.output);
      const button = make("button", "tok", "", { type: "button", role: "radio", "data-token": "reader", "data-k": k });
      button.textContent = text;
      from.append(button);
      return button;
    });
    this.to = sources.map((text, k) => {
      strip("v", right, this.strips.values);
      const el = make("span", "tok src attn-fill", '<span class="num"></span><span class="nm attn-num"></span>', {
        "data-role": "k", "data-token": "source", "data-k": k,
      });
      el.lastChild.textContent = text;
      to.append(el);
      return el;
    });
    const path = (className, r, c) => {
      const el = document.createElementNS(SVG, "path");
      el.setAttribute("class", className);
      Object.assign(el.dataset, { row: r, col: c, mat: this.spec.weights });
      this.svg.append(el);
      return el;
    };
    const pairs = readers.flatMap((_, r) => sources.map((_, c) => [r, c]));
    this.ribbons = pairs.map(([r, c]) => ({ r, c, path: path("rib", r, c) }));
    for (const ribbon of this.ribbons) ribbon.pick = path("pick", ribbon.r, ribbon.c);
  }

  draw() {
    if (!this.frame) return;
    const shape = JSON.stringify(this.tokens());
    if (shape !== this.built) {
      this.built = shape;
      this.build();
    }
    const [readers, sources] = this.tokens();
    const rows = this.frame.v;
    const step = (n) => (this.spec.high || LINE * Math.max(readers.length, sources.length)) / n;
    const wide = Math.min(32, step(Math.max(readers.length, sources.length)) - 2);
    rows.forEach((row, r) => {
      const middle = step(readers.length) * (r + 0.5);
      let y = middle - wide / 2;
      row.forEach((weight, c) => {
        const w = weight ?? 0;
        const ribbon = this.ribbons[r * sources.length + c];
        const y0 = (y + (w * wide) / 2).toFixed(2);
        const y1 = (step(sources.length) * (c + 0.5)).toFixed(2);
        y += w * wide;
        for (const el of [ribbon.path, ribbon.pick]) el.setAttribute("d", `M0 ${y0}C45 ${y0} 55 ${y1} 100 ${y1}`);
        ribbon.path.style.strokeWidth = w ? `${Math.max(1, w * wide)}px` : 0;
        ribbon.pick.style.display = w ? "" : "none";
      });
    });
    this.drawStrips("output");
    this.drawStrips("values");
    const says = rows.map((row, r) => {
      const parts = row.map((_, c) => `${sources[c]} ${this.frame.x[r][c]}`);
      return `${readers[r]}: ${parts.join(", ")}`;
    });
    this.svg.setAttribute("aria-label", says.join("; "));
  }

  drawStrips(which) {
    const frame = this.E.frames[this.spec[which]];
    this.strips[which].forEach((el, k) => {
      el.style.visibility = frame ? "" : "hidden";
      if (!frame?.v[k]) return;
      el.innerHTML = frame.t[k]
        .map((t, j) => `<i class="attn-fill ${frame.v[k][j] === 0 ? "is-zero" : fillClass(frame.kind, t)}" style="--t:${Math.abs(t)}"></i>`)
        .join("");
      el.title = `[${frame.x[k].join(", ")}]`;
    });
  }

  light(reader, source) {
    if (!this.ribbons) return;
    for (const { r, c, path, pick } of this.ribbons) {
      path.setAttribute("class", `rib${r === reader ? " on" : ""}${r === reader && c === source ? " hit" : ""}`);
      pick.style.pointerEvents = r === reader ? "stroke" : "none";
    }
    this.from.forEach((button, k) => {
      button.setAttribute("aria-checked", k === reader);
      button.tabIndex = k === reader ? 0 : -1;
    });
    this.to.forEach((el, c) => {
      const isHidden = Boolean(this.frame.h?.[reader]?.[c]);
      const weight = this.frame.v[reader]?.[c] ?? 0;
      const look = isHidden ? "is-masked" : fillClass("weight", weight);
      el.className = `tok src attn-fill ${look}${c === source ? " is-lit" : ""}`;
      el.style.setProperty("--t", isHidden ? 0 : weight);
      el.firstChild.textContent = isHidden ? "" : (this.frame.x[reader]?.[c] ?? "");
    });
  }
}
