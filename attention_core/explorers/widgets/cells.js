// The cells of a matrix: number, colour, old value, what is read aloud.

function make(tag, className = "", html, attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (html !== undefined) element.innerHTML = html;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// The text of an element that holds nothing else: its node is kept.
function write(element, text) {
  const node = element.firstChild ?? element.appendChild(document.createTextNode(""));
  if (node.data !== text) node.data = text;
}

// What need not be seen in the very next frame: the numbers come first.
function afterFrame(act) {
  requestAnimationFrame(() => setTimeout(act));
}

function fillClass(kind, t) {
  if (kind === "weight") return `wt${t >= 0.56 ? " is-strong" : ""}`;
  if (!t) return "";
  return `${t < 0 ? "neg" : "pos"}${Math.abs(t) >= 0.7 ? " is-strong" : ""}`;
}

class Cells {
  drawCell(td, r, c, change) {
    const { frame, spec, words } = this;
    const value = frame.v[r][c];
    const isHidden = Boolean(frame.h?.[r][c]);
    const isUnknown = Boolean(frame.u?.[r][c]);
    const isMarked = Boolean(frame.m?.[r][c]);
    const isVeiled = this.E.veiled.has(cellKey(this.name, r, c));
    const text = change?.now ?? frame.x[r][c];
    // What is drawn already is left alone.
    const drawn = [value, text, frame.t[r][c], frame.kind, isHidden, isUnknown, isMarked, isVeiled, change?.old].join("|");
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
    write(td.firstChild, !hasRoom ? "" : spec.dense ? text.replace("0.", ".") : text);
    td.dataset.value = value ?? "";
    this.drawGhost(td, change);
    const says = [
      isHidden ? words.hidden : spec.mode === "toggle" ? words.open : isUnknown ? words.unknown : "",
      isMarked ? spec.mark.replace(/<[^>]*>/g, "") : "",
      spec.mode === "edit" ? words.editable : "",
      change ? words.was.replace("{old}", change.old) : "",
    ].filter(Boolean);
    td.says = () => this.nameCell(td, r, c, value, text, says);
    if (!this.unnamed.size) afterFrame(() => this.nameCells());
    this.unnamed.add(td);
  }

  // What is read aloud and shown on hovering: not needed in the first frame.
  nameCells() {
    for (const td of this.unnamed) td.says();
    this.unnamed.clear();
  }

  nameCell(td, r, c, value, text, says) {
    const place = `${this.place(0, r, this.frame)}, ${this.place(1, c, this.frame)}`;
    td.setAttribute("aria-label", [`${place}: ${text}`, ...says].join(", "));
    td.setAttribute("aria-readonly", this.spec.mode === "read");
    if (this.spec.mode === "toggle") td.setAttribute("aria-selected", String(!td.classList.contains("is-masked")));
    const exact = value === null ? "" : whole(value);
    td.title = exact === text ? "" : exact;
  }

  // Covered by a guess: nothing of the number is to be seen or heard.
  veilCell(td, r, c) {
    td.className = "attn-cell attn-fill is-unknown is-veiled";
    write(td.firstChild, "?");
    td.title = td.dataset.value = "";
    td.setAttribute("aria-label", `${this.place(0, r, this.frame)}, ${this.place(1, c, this.frame)}: ?`);
    this.unnamed.delete(td);
    this.drawGhost(td);
  }

  drawGhost(td, change) {
    const ghost = td.ghost;
    if (!change) {
      ghost?.remove();
      td.ghost = null;
      return;
    }
    td.ghost = ghost ?? td.appendChild(make("span", "attn-ghost", undefined, { "aria-hidden": "true" }));
    write(td.ghost, change.old);
  }
}
