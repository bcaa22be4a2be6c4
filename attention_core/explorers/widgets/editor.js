// Typing into a cell, as in a spreadsheet.
class Editor {
  constructor(E) {
    this.E = E;
    this.input = null;
  }

  get isOpen() {
    return Boolean(this.input);
  }

  open(at, first) {
    if (this.isOpen) this.close();
    const td = this.E.views[at.m].cells[at.r][at.c];
    this.at = at;
    this.before = whole(this.E.frames[at.m].v[at.r][at.c]);
    this.input = make("input", "attn-input", undefined, {
      inputmode: "decimal", autocomplete: "off", spellcheck: "false",
      "aria-label": this.E.views[at.m].place(0, at.r, this.E.frames[at.m]) + ", " + this.E.views[at.m].place(1, at.c, this.E.frames[at.m]),
    });
    this.input.value = first ?? this.before;
    td.append(this.input);
    this.input.focus();
    if (first === null) this.input.select();
    this.input.addEventListener("input", () => this.judge());
    this.input.addEventListener("blur", () => this.isOpen && this.accept());
  }

  // Whether what stands there is a number; a sign alone is one on its way.
  judge(isFinal = false) {
    const { reason } = parseNumber(this.input.value);
    const isBegun = !isFinal && ["", "-", "−", "+", "."].includes(this.input.value.trim());
    this.input.setAttribute("aria-invalid", String(Boolean(reason) && !isBegun));
    if (!reason || isBegun) {
      if (this.E.error) complain(this.E, "");
      return !reason;
    }
    const { words } = this.E.spec;
    const says = words[`reason_${reason}`].replace("{text}", this.input.value.trim());
    complain(this.E, `${says} ${words.keeps.replace("{old}", this.before)}`);
    return false;
  }

  accept() {
    if (!this.judge(true)) return false;
    const { value } = parseNumber(this.input.value);
    const { m, r, c } = this.at;
    const isNew = value !== this.E.frames[m].v[r][c];
    this.close();
    if (isNew) this.E.edit(m, [[r, c, value]]);
    return true;
  }

  close() {
    const { input } = this;
    this.input = null;
    input.remove();
    this.E.error = "";
    lightUp(this.E);
  }

  key(event) {
    const view = this.E.views[this.at.m];
    const { r, c } = this.at;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
      view.focus(r, c);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      if (!this.accept()) return;
      const next = event.key === "Enter" ? [r + (event.shiftKey ? -1 : 1), c] : [r, c + (event.shiftKey ? -1 : 1)];
      if (!view.focus(...next)) view.focus(r, c);
    }
  }
}
