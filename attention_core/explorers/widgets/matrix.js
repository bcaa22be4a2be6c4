// One matrix on screen: labels, numbers on colours, bands around linked cells, old values.

function make(tag, className = "", html, attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (html !== undefined) element.innerHTML = html;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const PENCIL =
  '<svg class="attn-pencil" viewBox="0 0 12 12" aria-hidden="true"><path d="M1.5 10.5l.6-2.5L8.3 1.8' +
  'a1.1 1.1 0 0 1 1.6 0l.3.3a1.1 1.1 0 0 1 0 1.6L4 9.9z" fill="none" stroke="currentColor" ' +
  'stroke-width="1.2" stroke-linejoin="round"/></svg>';
const KIND_OF = { r: "reader", s: "source", t: "token", f: "feature", c: "source" };

function fillClass(kind, t) {
  if (kind === "weight") return `wt${t >= 0.56 ? " is-strong" : ""}`;
  if (!t) return "";
  return `${t < 0 ? "neg" : "pos"}${Math.abs(t) >= 0.7 ? " is-strong" : ""}`;
}

class MatrixView {
  constructor(name, spec, words, E) {
    Object.assign(this, { name, spec, words, E, cells: [], at: [0, 0], built: "", bands: [] });
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

  build(frame) {
    const [rows, cols] = this.labels(frame);
    const [rowKind, colKind] = this.kinds();
    const isToken = (kind) => kind === "reader" || kind === "source" || kind === "token";
    const label = (text, kind, k) =>
      isToken(kind)
        ? Object.assign(make("button", "", "", { type: "button", tabindex: -1, "data-token": kind, "data-k": k }), { textContent: text })
        : Object.assign(make("span"), { textContent: text });
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
    const row = this.el.parentElement; // heads of one row are of one height
    row?.classList.toggle("has-long", Boolean(row.querySelector(":scope > .long-cols:not(.no-cl)")));
    this.el.classList.toggle("has-notes", Boolean(frame.notes));
    this.table.replaceChildren(thead, tbody);
    this.at = [Math.min(this.at[0], rows.length - 1), Math.min(this.at[1], cols.length - 1)];
    this.rove(...this.at);
  }

  draw(frame, changed) {
    this.frame = frame;
    const shape = JSON.stringify([this.labels(frame), Boolean(frame.notes), frame.reads]);
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

  drawCell(td, r, c, change) {
    const { frame, spec, words } = this;
    const value = frame.v[r][c];
    const isHidden = Boolean(frame.h?.[r][c]);
    const isUnknown = Boolean(frame.u?.[r][c]);
    const isMarked = Boolean(frame.m?.[r][c]);
    const isVeiled = this.E.veiled.has(cellKey(this.name, r, c));
    const text = change?.now ?? frame.x[r][c];
    // What is drawn already is left alone.
    const drawn = [value, text, frame.t[r][c], frame.kind, isHidden, isUnknown, isMarked, isVeiled, change?.old, this.place(0, r, frame), this.place(1, c, frame)].join("|");
    if (td.drawn === drawn) return;
    td.drawn = drawn;
    if (isVeiled) return this.veilCell(td, r, c);
    const t = isHidden || isUnknown ? 0 : frame.t[r][c];
    const classes = ["attn-cell", "attn-fill"];
    if (isHidden) classes.push("is-masked");
    else if (isUnknown) classes.push("is-unknown");
    else classes.push(fillClass(frame.kind, t), value === 0 ? "is-zero" : "");
    if (isMarked) classes.push("is-marked");
    if (spec.mode === "edit") classes.push("is-editable");
    if (text.length > 4) classes.push(["is-snug", "is-tight", "is-tiny"][Math.min(text.length, 7) - 5]);
    if (change) classes.push("is-changed");
    for (const kept of ["is-selected", "is-active", "is-guess", "is-hit", "is-missed", "is-wrong"])
      if (td.classList.contains(kept)) classes.push(kept);
    td.className = classes.filter(Boolean).join(" ");
    td.style.setProperty("--t", Math.abs(t));
    const hasRoom = !spec.dense || (Math.abs(value ?? 0) >= 0.095 && this.cells.length <= 20);
    td.querySelector(".attn-num").textContent = !hasRoom ? "" : spec.dense ? text.replace("0.", ".") : text;
    td.dataset.value = value ?? "";
    const exact = value === null ? "" : whole(value);
    td.title = exact === text ? "" : exact;
    const says = [
      isHidden ? words.hidden : spec.mode === "toggle" ? words.open : isUnknown ? words.unknown : "",
      isMarked ? spec.mark.replace(/<[^>]*>/g, "") : "",
      spec.mode === "edit" ? words.editable : "",
      change ? words.was.replace("{old}", change.old) : "",
    ].filter(Boolean);
    const place = `${this.place(0, r, frame)}, ${this.place(1, c, frame)}`;
    td.setAttribute("aria-label", [`${place}: ${text}`, ...says].join(", "));
    td.setAttribute("aria-readonly", spec.mode === "read");
    if (spec.mode === "toggle") td.setAttribute("aria-selected", String(!isHidden));
    this.drawGhost(td, change);
  }

  // Covered by a guess: nothing of the number is to be seen or heard.
  veilCell(td, r, c) {
    td.className = "attn-cell attn-fill is-unknown is-veiled";
    td.querySelector(".attn-num").textContent = "?";
    td.title = td.dataset.value = "";
    td.setAttribute("aria-label", `${this.place(0, r, this.frame)}, ${this.place(1, c, this.frame)}: ?`);
    this.drawGhost(td);
  }

  drawGhost(td, change) {
    const ghost = td.querySelector(".attn-ghost");
    if (!change) return ghost?.remove();
    const tag = ghost ?? td.appendChild(make("span", "attn-ghost", "", { "aria-hidden": "true" }));
    tag.textContent = change.old;
  }

  flash(places, delay) {
    for (const place of places) {
      const [r, c] = place.split(" ");
      const td = this.cells[r]?.[c];
      if (!td) continue;
      td.querySelectorAll(".attn-flash").forEach((old) => old.remove());
      const light = make("span", "attn-flash");
      td.style.setProperty("--delay", `${delay}ms`);
      td.prepend(light);
      requestAnimationFrame(() => light.classList.add("go"));
      setTimeout(() => light.remove(), delay + 1100);
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
