// A model with many heads: a typed text, the wall of thumbnails, the row as bars, q and k of a pair.

class TextView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.el = make("div", "attn-text", "", { "data-part": name });
    const id = `${E.id}-${name}`;
    this.input = make("input", "", undefined, { type: "text", id, list: `${id}-list`, maxlength: 2000, spellcheck: "false" });
    const list = make("datalist", "", "", { id: `${id}-list` });
    for (const text of spec.options) list.append(make("option", "", undefined, { value: text }));
    this.el.append(make("label", "lab", spec.label, { for: id }), this.input, list);
    this.input.addEventListener("change", () => this.send());
    this.input.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey)) event.stopPropagation();
      if (event.key === "Enter" && !event.isComposing) this.send();
      if (event.key === "Escape") this.input.value = this.shown;
    });
  }

  send() {
    if (this.input.value === this.sent) return;
    this.sent = this.input.value;
    this.E.ask({ do: "type", name: this.name, text: this.input.value });
  }

  draw() {
    const text = this.E.current.data[this.name];
    this.input.setAttribute("aria-invalid", String(Boolean(this.E.note)));
    if (this.E.note || text === this.shown) return;
    this.shown = this.sent = text;
    this.input.value = text;
  }

  light() {}
}

class WallView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E, kind: "" });
    const [layers, heads] = spec.shape;
    this.el = make("div", "attn-wallbox", "", { "data-part": name, "data-control": name });
    this.wall = make("div", "attn-wall", "", { role: "grid", "aria-label": spec.name });
    this.wall.style.setProperty("--heads", heads);
    const top = make("div", "", "", { role: "row", style: "display:contents" });
    top.append(make("span", "lab", "", { role: "presentation" }));
    for (let h = 0; h < heads; h++) top.append(make("span", "lab", `H${h}`, { role: "columnheader" }));
    this.wall.append(top);
    this.thumbs = [];
    for (let l = 0; l < layers; l++) {
      const row = make("div", "", "", { role: "row", style: "display:contents" });
      row.append(make("span", "lab", `L${l}`, { role: "rowheader" }));
      for (let h = 0; h < heads; h++) {
        const thumb = make("button", "attn-thumb", "<canvas></canvas>", { type: "button", role: "gridcell", "data-head": l * heads + h });
        this.thumbs.push(thumb);
        row.append(thumb);
      }
      this.wall.append(row);
    }
    this.kinds = make("div", "attn-kinds", "", { role: "group", "aria-label": spec.name });
    this.found = make("div", "attn-found", "", { role: "group" });
    this.el.append(this.wall, this.kinds, this.found);
    this.el.addEventListener("click", (event) => {
      const thumb = event.target.closest("[data-head]");
      const kind = event.target.closest("[data-kind]");
      if (thumb) this.choose(Number(thumb.dataset.head));
      if (kind) {
        this.kind = this.kind === kind.dataset.kind ? "" : kind.dataset.kind;
        this.light();
      }
    });
    this.wall.addEventListener("keydown", (event) => {
      const at = this.thumbs.indexOf(event.target);
      const step = STEPS[event.key] ?? { Home: [0, -heads], End: [0, heads] }[event.key];
      if (at < 0 || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choose(at);
      }
      if (!step) return;
      event.preventDefault();
      const clamp = (x, n) => Math.min(n - 1, Math.max(0, x));
      const next = clamp(Math.floor(at / heads) + step[0], layers) * heads + clamp((at % heads) + step[1], heads);
      this.thumbs[next].tabIndex = 0;
      this.thumbs[next].focus();
      this.choose(next);
    });
  }

  choose(index) {
    if (index !== this.E.at[this.name]) this.E.choose({ [this.name]: index });
  }

  get data() {
    return this.E.current.data[this.name];
  }

  draw() {
    const { maps, n, labels, kinds, names } = this.data;
    if (this.built !== maps) {
      const [r, c] = this.data.telling;
      if (this.built) this.E.selected = { kind: "cell", m: this.spec.of, r, c };
      if (this.built) this.E.reader = r;
      this.built = maps;
      this.bytes = Uint8Array.from(atob(maps), (sign) => sign.charCodeAt(0));
      this.thumbs.forEach((thumb, k) => {
        drawMap(thumb.firstChild, this.bytes.subarray(k * n * n, (k + 1) * n * n), n);
        thumb.title = `${this.spec.plainOptions[k]}: ${labels[k]}`;
        thumb.setAttribute("aria-label", thumb.title);
      });
    }
    const counted = Object.keys(names).map((kind) => [kind, kinds.filter((each) => each === kind).length]);
    this.kinds.replaceChildren(
      ...counted.filter(([, count]) => count).map(([kind, count]) => {
        const button = make("button", "", "", { type: "button", "data-kind": kind });
        button.append(names[kind], Object.assign(make("b"), { textContent: ` ${count}` }));
        return button;
      }),
    );
  }

  light() {
    if (!this.bytes) return;
    const chosen = this.E.at[this.name];
    if (!this.data.kinds.includes(this.kind)) this.kind = "";
    this.thumbs.forEach((thumb, k) => {
      thumb.setAttribute("aria-selected", k === chosen);
      thumb.tabIndex = k === chosen ? 0 : -1;
      thumb.classList.toggle("is-off", Boolean(this.kind) && this.data.kinds[k] !== this.kind);
    });
    for (const button of this.kinds.children) button.setAttribute("aria-pressed", button.dataset.kind === this.kind);
    this.rank();
  }

  // Who reads this source from this reader most? The pair that is pointed at, in every head.
  rank() {
    const [r, c] = pairOf(this.E, this.spec.of);
    const { n } = this.data;
    const [rows, cols] = this.E.views[this.spec.of].labels(this.E.frames[this.spec.of]);
    const scores = this.thumbs.map((_, k) => this.bytes[k * n * n + r * n + c] / 255);
    const best = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 5);
    const key = `${this.built.length} ${r} ${c} ${best.map((k) => scores[k])} ${rows}`;
    if (this.ranked === key) return;
    this.ranked = key;
    const words = this.E.spec.words.reads.replace("{reader}", `\u2068${rows[r]}\u2069`).replace("{source}", `\u2068${cols[c]}\u2069`);
    const label = Object.assign(make("span", "lab"), { textContent: words });
    this.found.replaceChildren(
      label,
      ...best.map((k) => {
        const button = make("button", "", "", { type: "button", "data-head": k });
        button.append(this.spec.plainOptions[k], Object.assign(make("b"), { textContent: ` ${scores[k].toFixed(2)}` }));
        return button;
      }),
    );
  }
}

// One pixel for each weight; black as strong as the weight, which the dark theme turns white.
function drawMap(canvas, bytes, n) {
  canvas.width = canvas.height = n;
  const image = new ImageData(n, n);
  bytes.forEach((weight, k) => (image.data[4 * k + 3] = weight));
  canvas.getContext("2d").putImageData(image, 0, 0);
}

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

class PairView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.el = make("details", "attn-pair", "", { "data-part": name });
    this.body = make("div", "body");
    this.el.append(make("summary", "", spec.label), this.body);
    this.el.addEventListener("toggle", () => this.light());
  }

  draw() {
    this.drawn = "";
  }

  light() {
    if (!this.el.open) return;
    const { A } = this.E.frames;
    const { Q, K, S } = this.E.current.data[this.name];
    const [r, c] = pairOf(this.E, "A");
    const key = `${r} ${c}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const [rows, cols] = this.E.views.A.labels(A);
    const products = Q.v[r].map((q, m) => q * K.v[c][m]);
    const end = Math.max(...products.map(Math.abs), 1e-9);
    const strip = (role, text, values, shares, name) => {
      const line = make("div", "strip", "", { "data-role": role, role: "img" });
      line.setAttribute("aria-label", `${name}: ${values.map(cellText).join(", ")}`);
      line.append(make("span", "lab", text));
      values.forEach((value, m) => {
        const cell = make("i", `attn-fill ${fillClass("signed", shares[m])}`, "", { title: `${m + 1}: ${cellText(value)}` });
        cell.style.setProperty("--t", Math.abs(shares[m]));
        line.append(cell);
      });
      return line;
    };
    const named = (letter, token) => `<span class="m r-${letter}">${letter}</span> <b class="tok"></b>`;
    const parts = [
      strip("q", named("q"), Q.v[r], Q.t[r], `q ${rows[r]}`),
      strip("k", named("k"), K.v[c], K.t[c], `k ${cols[c]}`),
      strip("n", '<span class="m r-q">q</span><span class="u">·</span><span class="m r-k">k</span>', products, products.map((x) => x / end), "q k"),
    ];
    parts[0].querySelector(".tok").textContent = rows[r];
    parts[1].querySelector(".tok").textContent = cols[c];
    const sum = make("div", "sum", `${this.E.spec.words.sum} = <b>${S.x[r][c]}</b> <span class="u">→</span> ÷ √${Q.v[0].length} <span class="u">→</span> softmax <span class="u">→</span> <b>${A.x[r][c]}</b>`);
    this.body.replaceChildren(...parts, sum);
  }
}

const MORE_VIEWS = { board: BoardView, text: TextView, wall: WallView, bars: BarsView, pair: PairView };
