// What a cell is made of and what changes with it: what links.py says, in the browser.

const readRule = (rule) =>
  [...rule.matchAll(/(\w+)\[([rck*]),([rck*])\]/g)].map(([, m, a, b]) => ({ m, a, b }));
const cellKey = (m, r, c) => `${m} ${r} ${c}`;
const cellAt = (key) => {
  const [m, r, c] = key.split(" ");
  return { m, r: Number(r), c: Number(c) };
};

class Links {
  // rules: matrix -> rule; frames: matrix -> frame; toggles: matrices that are masks.
  // An earlier one with the same rules, shapes and hidden cells has the same links.
  constructor(rules, frames, toggles, earlier = null) {
    Object.assign(this, { rules, frames, toggles });
    this.sign = JSON.stringify([
      rules,
      Object.entries(frames).map(([m, { v, h, f }]) => [m, v.length, v[0]?.length, h, f && [f, v]]),
    ]);
    if (earlier?.sign === this.sign) this.made = earlier.made;
    this.read = Object.fromEntries(Object.entries(rules).map(([m, rule]) => [m, readRule(rule)]));
  }

  shape(m) {
    const values = this.frames[m].v;
    return [values.length, values[0]?.length ?? 0];
  }

  isHidden({ m, r, c }) {
    const frame = this.frames[m]; // a zero that no number changes is as good as hidden
    return Boolean(frame?.h?.[r]?.[c] || (frame?.f?.[r]?.[c] && frame.v[r][c] === 0));
  }

  // The cells that one source names for this k; "*" and a k of its own stand for all.
  term({ m, a, b }, r, c, k) {
    if (!this.frames[m] || (a !== "k" && b !== "k" && k)) return [];
    const [rows, cols] = this.shape(m);
    const along = (letter, size) =>
      letter === "*" ? [...Array(size).keys()] : [{ r, c, k }[letter]].filter((x) => x < size);
    return along(a, rows).flatMap((i) => along(b, cols).map((j) => ({ m, r: i, c: j })));
  }

  sources({ m, r, c }) {
    const made = this.read[m] ?? [];
    const isShared = made.length > 1 && made.every(({ a, b }) => a === "k" || b === "k");
    const found = [];
    const many = Math.max(0, ...made.filter((s) => this.frames[s.m]).flatMap((s) => this.shape(s.m)));
    for (let k = 0; k < many; k++) {
      const term = made.flatMap((source) => this.term(source, r, c, k));
      const dead = term.filter((x) => this.isHidden(x) && !this.toggles.has(x.m));
      for (const x of term) {
        if (isShared && dead.some((y) => y !== x)) continue;
        if (dead.includes(x) && (x.r !== r || x.c !== c)) continue;
        found.push(x);
      }
    }
    if (!this.isHidden({ m, r, c }) && !this.frames[m].f?.[r]?.[c]) return found;
    return found.filter((x) => this.toggles.has(x.m) || this.isHidden(x));
  }

  get goesTo() {
    if (this.made) return this.made;
    this.made = new Map();
    for (const m of Object.keys(this.read)) {
      if (!this.frames[m]) continue;
      const [rows, cols] = this.shape(m);
      for (let r = 0; r < rows; r++)
        for (let c = 0; c < cols; c++)
          for (const x of this.sources({ m, r, c })) {
            const key = cellKey(x.m, x.r, x.c);
            if (!this.made.has(key)) this.made.set(key, new Set());
            this.made.get(key).add(cellKey(m, r, c));
          }
    }
    return this.made;
  }

  // Cells that change with this one: near is one step away, far the rest.
  consequences({ m, r, c }) {
    const start = cellKey(m, r, c);
    const near = new Set(this.goesTo.get(start));
    const reached = new Set(near);
    const waiting = [...near];
    while (waiting.length)
      for (const key of this.goesTo.get(waiting.pop()) ?? [])
        if (!reached.has(key)) {
          reached.add(key);
          waiting.push(key);
        }
    return { near: [...near].map(cellAt), far: [...reached].filter((x) => !near.has(x)).map(cellAt) };
  }

  // What stands in the formula of this cell, as written: also what a mask hides.
  made_of({ m, r, c }) {
    return (this.read[m] ?? []).flatMap((source) => {
      const cells = [];
      const many = source.a === "k" || source.b === "k" ? 512 : 1;
      for (let k = 0; k < many; k++) {
        const term = this.term(source, r, c, k);
        if (!term.length) break;
        cells.push(...term);
      }
      return cells;
    });
  }

  // The other factors that a given cell is multiplied with.
  partners({ m, r, c }) {
    if ((this.read[m] ?? []).length || this.toggles.has(m)) return [];
    const found = [];
    for (const made of Object.values(this.read))
      for (const mine of made.filter((source) => source.m === m)) {
        const k = mine.a === "k" ? r : mine.b === "k" ? c : null;
        if (k === null) continue;
        for (const other of made.filter((source) => source !== mine && source.m !== m)) {
          if (!this.frames[other.m]) continue;
          const [rows, cols] = this.shape(other.m);
          const along = (letter, size) => (letter === "k" ? [k] : [...Array(size).keys()]);
          if (other.a === "k" || other.b === "k")
            for (const i of along(other.a, rows))
              for (const j of along(other.b, cols)) found.push({ m: other.m, r: i, c: j });
        }
      }
    return found;
  }

  // How many steps after the given matrices a matrix comes: the order of the light.
  depth(m, seen = new Set()) {
    if (seen.has(m)) return 0;
    const made = this.read[m] ?? [];
    return made.length ? 1 + Math.max(...made.map((x) => this.depth(x.m, new Set([...seen, m])))) : 0;
  }
}

// Cells of one matrix as few rectangles: runs in rows, equal runs below each other joined.
function rectangles(cells) {
  const rows = new Map();
  for (const { r, c } of cells) rows.set(r, (rows.get(r) ?? new Set()).add(c));
  const done = [];
  let open = [];
  for (const r of [...rows.keys()].sort((a, b) => a - b)) {
    const columns = [...rows.get(r)].sort((a, b) => a - b);
    const runs = [];
    for (const c of columns)
      if (runs.at(-1)?.end === c) runs.at(-1).end++;
      else runs.push({ start: c, end: c + 1 });
    const next = runs.map(({ start, end }) => {
      const above = open.find((o) => o.c0 === start && o.c0 + o.nc === end && o.r0 + o.nr === r);
      if (above) above.nr++;
      return above ?? { r0: r, nr: 1, c0: start, nc: end - start };
    });
    done.push(...open.filter((o) => !next.includes(o)));
    open = next;
  }
  return [...done, ...open];
}
