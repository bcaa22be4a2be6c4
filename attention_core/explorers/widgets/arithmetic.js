// The arithmetic of one cell, typeset: each term in the colour of its matrix.

const LONGEST_SUM = 6;
const inRole = (role, html) => `<span class="r-${role}">${html}</span>`;
const letterRole = (letter) => ({ q: "q", k: "k", v: "v", o: "o", x: "n", y: "n", a: "a" })[letter.toLowerCase()] ?? "n";
const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);
const lowIndices = (indices) => indices.map((i) => i + 1).join(indices.some((i) => i > 8) ? "," : "");

// What {…} in a template stands for, given the cell and the frames.
class Arithmetic {
  constructor(specs, frames, facts) {
    Object.assign(this, { specs, frames, facts });
  }

  of({ m, r, c }) {
    const spec = this.specs[m];
    const frame = this.frames[m];
    const own = frame.explain?.[r]?.[c];
    return (own ?? (frame.sum || spec.sum || this.usual(spec))).replace(/\{([^{}]+)\}/g, (_, what) => this.piece(what, m, r, c));
  }

  // Without a template: a product shows its terms, anything else its value.
  usual(spec) {
    const made = spec.made.split(/\s+/).filter(Boolean);
    if (made.length === 2 && made.every((source) => source.includes("k")))
      return `{me} = {${made.join("·")}} = {=}`;
    return "{me} = {=}";
  }

  piece(what, m, r, c) {
    if (what === "=") return `<span class="res">${inRole(this.specs[m].role, this.text(m, r, c))}</span>`;
    if (what === "me") return this.me(m, r, c);
    if (what === "i") return String(r + 1);
    if (what === "j") return String(c + 1);
    if (what.startsWith("softmax-column:")) return this.share(what.slice(15), m, r, c, true);
    if (what.startsWith("softmax:")) return this.share(what.slice(8), m, r, c);
    if (what.includes("·")) return this.product(what.split("·"), r, c);
    const cell = readRule(what)[0];
    if (cell) return this.value(cell, r, c, 0);
    const [name, low] = what.split(":");
    if (low) {
      const sub = lowIndices([...low].map((x) => ({ r, c })[x]));
      const role = letterRole(name.length > 1 ? name[1] : name); // wQ is a column of W_Q
      return inRole(role, `<span class="m">${name[0]}</span><sub>${sub}</sub>`);
    }
    return this.facts[what] ?? what;
  }

  text(m, r, c) {
    return this.frames[m].x[r]?.[c] ?? "";
  }

  me(m, r, c) {
    const { symbol, role } = this.specs[m];
    const isSimple = !/<sub>|<sup>|class="u"|class="rad"/.test(symbol);
    const name = isSimple ? symbol : `(${symbol})`;
    return inRole(role, `${name}<sub>${lowIndices([r, c])}</sub>`);
  }

  at({ a, b }, r, c, k) {
    return [{ r, c, k }[a], { r, c, k }[b]];
  }

  value(source, r, c, k) {
    const [i, j] = this.at(source, r, c, k);
    return inRole(this.specs[source.m].role, this.text(source.m, i, j));
  }

  product(factors, r, c) {
    const sources = factors.map((factor) => readRule(factor)[0]);
    const terms = [];
    for (let k = 0; ; k++) {
      const places = sources.map((source) => this.at(source, r, c, k));
      const values = places.map(([i, j], n) => this.frames[sources[n].m].v[i]?.[j]);
      if (values.includes(undefined)) break;
      const texts = places.map(([i, j], n) => this.text(sources[n].m, i, j));
      const written = texts.map((text, n) => {
        const part = n || k ? bracketed(text) : text;
        return values.includes(0) ? part : inRole(this.specs[sources[n].m].role, part);
      });
      const term = written.join("·");
      terms.push(values.includes(0) ? `<span class="z">${term}</span>` : term);
      if (!sources.some(({ a, b }) => a === "k" || b === "k")) break;
    }
    const shown = terms.length > LONGEST_SUM ? [...terms.slice(0, 4), "…", terms.at(-1)] : terms;
    return shown.join(" + ");
  }

  // e^z / (e^z + …): a large exponent is taken off first, which leaves the ratio.
  share(source, m, r, c, isColumn = false) {
    const { v } = this.frames[source];
    const row = (isColumn ? v.map((line) => line[c]) : v[r]).map((x) => x ?? -Infinity);
    const at = isColumn ? r : c;
    if (row[at] === -Infinity) return "0";
    const top = Math.max(...row);
    const shift = Math.abs(top) > 20 ? top : 0;
    const power = (x) => (x === -Infinity ? '<span class="z">0</span>' : `<span class="m">e</span><sup>${cellText(Number((x - shift).toPrecision(12)))}</sup>`);
    const sizes = row.map((x) => Math.exp(x - shift));
    const total = sizes.reduce((a, b) => a + b, 0);
    const powers = row.map(power);
    const long = powers.length > LONGEST_SUM ? [...powers.slice(0, 4), "…", powers.at(-1)] : powers;
    return `${fraction(power(row[at]), long.join(" + "))} = ${fraction(cellText(sizes[at]), cellText(total))}`;
  }
}

const fraction = (above, below) => `<span class="frac"><span>${above}</span><span>${below}</span></span>`;
