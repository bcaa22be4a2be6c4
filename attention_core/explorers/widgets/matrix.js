// One matrix on screen: labels, numbers on colours, bands around linked cells, old values.

const PENCIL =
  '<svg class="attn-pencil" viewBox="0 0 12 12" aria-hidden="true"><path d="M1.5 10.5l.6-2.5L8.3 1.8' +
  'a1.1 1.1 0 0 1 1.6 0l.3.3a1.1 1.1 0 0 1 0 1.6L4 9.9z" fill="none" stroke="currentColor" ' +
  'stroke-width="1.2" stroke-linejoin="round"/></svg>';
const KIND_OF = { r: "reader", s: "source", t: "token", f: "feature", c: "source" };

class MatrixView extends Cells {
  constructor(name, spec, words, E) {
    super();
    Object.assign(this, { name, spec, words, E, cells: [], at: [0, 0], built: "", bands: [], lights: [], unnamed: new Set() });
    const hidden = `${spec.hide.includes("r") ? " no-rl" : ""}${spec.hide.includes("c") ? " no-cl" : ""}${spec.hide.includes("n") ? " rl-narrow" : ""}`;
    this.el = make("div", `attn-mat${hidden}`, "", {
      "data-m": name, "data-role": spec.role, "data-mode": spec.mode,
    });
    this.el.classList.toggle("dense", Boolean(spec.dense));
    this.el.classList.toggle("title-left", spec.reads === "tf");
    this.title = make("div", "attn-title");
    this.chip = make("button", "attn-chip", spec.symbol, { type: "button", "data-mat": name, tabindex: -1 });
    this.equation = make("span", "attn-eq", spec.equation);
    this.badge = make("span", "attn-badge", "", { "aria-hidden": "true" });
    this.title.append(this.chip, this.equation);
    if (spec.mode === "edit") this.title.insertAdjacentHTML("beforeend", PENCIL);
    this.title.append(this.badge);
    this.body = make("div", "attn-body");
    this.table = make("table", "", "", { role: "grid" });
    this.body.append(this.table, make("div", "attn-frame"));
    this.el.append(this.title, this.body);
    if (spec.then) this.el.append(make("div", "attn-op", spec.then, { "aria-hidden": "true" }));
  }

  labels(frame) {
    return [frame.rows ?? this.spec.rows, frame.cols ?? this.spec.cols];
  }

  // "query 4 tired": the axis, the place, and the label if it says more than the place.
  place(axis, index, frame) {
    const label = this.labels(frame)[axis][index] ?? "";
    const parts = [this.spec.axes[axis], index + 1, label === String(index + 1) ? "" : label];
    return parts.filter((part) => part !== "").join(" ");
  }

  kinds() {
    const [row, col] = this.frame?.reads || this.spec.reads;
    return [KIND_OF[row], KIND_OF[col]];
  }

  // Which token of the explorer a row or column stands for, and where a token stands here.
  tokenAt(index) {
    const token = this.frame?.tokens?.[index] ?? index;
    return token < 0 ? undefined : token;
  }

  placeOf(token) {
    const { tokens } = this.frame;
    return tokens && token !== undefined ? tokens.indexOf(token) : token;
  }

  build(frame) {
    const [rows, cols] = this.labels(frame);
    const [rowKind, colKind] = this.kinds();
    const isToken = (kind) => kind === "reader" || kind === "source" || kind === "token";
    const label = (text, kind, place) => {
      const k = this.tokenAt(place);
      return isToken(kind) && k !== undefined
        ? Object.assign(make("button", "", "", { type: "button", tabindex: -1, "data-token": kind, "data-k": k }), { textContent: text })
        : Object.assign(make("span"), { textContent: text });
    };
    this.el.style.setProperty("--rows", rows.length);
    this.el.style.setProperty("--cols", cols.length);
    const head = make("tr", "", "", { role: "row" });
    head.append(make("td", "", "", { role: "presentation" }));
    this.tops = cols.map((text, k) => {
      const th = make("th", "", "", { scope: "col", role: "columnheader" });
      th.append(label(text, colKind, k));
      head.append(th);
      return th;
    });
    const thead = make("thead", "", "", { role: "rowgroup" });
    const tbody = make("tbody", "", "", { role: "rowgroup" });
    thead.append(head);
    this.sides = [];
    this.cells = rows.map((text, r) => {
      const tr = make("tr", "", "", { role: "row" });
      const th = make("th", "", "", { scope: "row", role: "rowheader" });
      th.append(label(text, rowKind, r));
      this.sides.push(th);
      tr.append(th);
      const line = cols.map((_, c) => {
        const td = make("td", "attn-cell attn-fill", '<span class="attn-num"></span>', {
          role: "gridcell", "data-row": r, "data-col": c, tabindex: -1,
        });
        tr.append(td);
        return td;
      });
      if (frame.notes) tr.append(make("td", "attn-note", "", { role: "gridcell" }));
      tbody.append(tr);
      return line;
    });
    // Labels wider than a cell stand in several lines.
    const wide = (text) => [...text].reduce((sum, x) => sum + (x > "\u2e7f" ? 2 : 1), 0) > 8;
    this.el.classList.toggle("long-cols", !this.spec.dense && cols.some(wide));
    this.el.classList.toggle("mid-cols", !this.spec.dense && cols.some((text) => text.length > 6));
    this.el.classList.toggle("short-rows", !this.spec.dense && rows.every((text) => /^[a-z]?[\d₀-₉]{1,2}$/.test(text)));
    const row = this.el.parentElement; // heads of one row are of one height
    row?.classList.toggle("has-long", Boolean(row.querySelector(":scope > .long-cols:not(.no-cl)")));
    this.el.classList.toggle("has-notes", Boolean(frame.notes));
    this.table.replaceChildren(thead, tbody);
    this.at = [Math.min(this.at[0], rows.length - 1), Math.min(this.at[1], cols.length - 1)];
    this.rove(...this.at);
  }

  draw(frame, changed) {
    this.frame = frame;
    const shape = JSON.stringify([this.labels(frame), Boolean(frame.notes), frame.reads, frame.tokens]);
    if (shape !== this.built) {
      this.built = shape;
      this.build(frame);
    }
    const about = this.spec.name.replace(/[.。：:，,]$/, "");
    const name = `${this.spec.plain}: ${about}, ${frame.v.length} × ${frame.v[0]?.length ?? 0}`;
    this.table.setAttribute("aria-label", name);
    this.chip.title = name;
    this.chip.innerHTML = frame.title || this.spec.symbol;
    this.badge.textContent = changed.size || "";
    this.badge.classList.toggle("on", changed.size > 0);
    this.cells.forEach((line, r) => line.forEach((td, c) => this.drawCell(td, r, c, changed.get(`${r} ${c}`))));
    if (frame.notes)
      this.table.querySelectorAll(".attn-note").forEach((td, r) => (td.textContent = frame.notes[r]));
  }

  // A flash over what has moved: one light for each rectangle, faded by the compositor alone.
  flash(places, delay) {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || this.E.root.classList.contains("calm");
    if (!isStill && !this.spec.dense) afterFrame(() => this.shine(places.map((place) => place.split(" ").map(Number)), delay));
  }

  shine(places, delay) {
    const boxes = rectangles(places.map(([r, c]) => ({ r, c })));
    while (this.lights.length < boxes.length) {
      this.lights.push(make("div", "attn-light"));
      this.table.after(this.lights.at(-1));
    }
    const timing = { duration: 900, delay, easing: "ease-out" };
    boxes.forEach((box, k) => {
      for (const side of ["r0", "nr", "c0", "nc"]) this.lights[k].style.setProperty(`--${side}`, box[side]);
      this.lights[k].animate([{ opacity: 0 }, { opacity: 0.95, offset: 0.12 }, { opacity: 0 }], timing);
    });
    for (const [r, c] of places) {
      const td = this.cells[r]?.[c];
      if (td?.classList.contains("is-strong")) td.firstChild.animate([{ color: "#000", offset: 0.08 }, { color: "#000", offset: 0.45 }], timing);
    }
  }

  // Bands: { kind, cells } around what is linked; kind is src, via, con or far.
  light(lists) {
    const wanted = lists.flatMap(({ kind, cells }) => rectangles(cells).map((box) => ({ kind, ...box })));
    while (this.bands.length < wanted.length) {
      const band = make("div", "attn-band");
      this.body.append(band);
      this.bands.push(band);
    }
    this.bands.forEach((band, k) => {
      const box = wanted[k];
      band.className = `attn-band${box ? ` on ${box.kind}` : ""}`;
      if (box) for (const side of ["r0", "nr", "c0", "nc"]) band.style.setProperty(`--${side}`, box[side]);
    });
  }

  mark(cell, className) {
    this.table.querySelectorAll(`.${className}`).forEach((td) => td.classList.remove(className));
    if (cell) this.cells[cell.r]?.[cell.c]?.classList.add(className);
  }

  lightLabels(row, col) {
    const light = (ths, lit) => ths.forEach((th, k) => (th.className = lit && lit[0] === k ? `lit-${lit[1]}` : ""));
    light(this.sides, row);
    light(this.tops, col);
  }

  rove(r, c) {
    this.cells[this.at[0]]?.[this.at[1]]?.setAttribute("tabindex", -1);
    this.at = [r, c];
    this.cells[r]?.[c]?.setAttribute("tabindex", 0);
  }

  focus(r, c) {
    if (!this.cells[r]?.[c]) return false;
    this.rove(r, c);
    this.cells[r][c].focus();
    return true;
  }
}
