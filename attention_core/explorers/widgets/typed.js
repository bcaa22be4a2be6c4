// A typed text.

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
