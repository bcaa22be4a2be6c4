// The cells of a matrix: number, colour, old value, what is read aloud.

function make(tag, className = "", html, attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (html !== undefined) element.innerHTML = html;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
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
}
