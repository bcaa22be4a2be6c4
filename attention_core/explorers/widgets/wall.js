// The wall of all heads: thumbnails, their kinds, and who reads a source most.

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
