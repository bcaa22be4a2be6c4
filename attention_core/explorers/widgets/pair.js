// q of a reader, k of a source and their products, number by number.

class PairView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.el = make("details", "attn-qk", "", { "data-part": name });
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
