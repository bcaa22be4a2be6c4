// Settings: segments, sliders and check boxes with names that people and screen readers can read.

const BEAT = 900; // milliseconds from one place to the next while a slider plays

class ControlView {
  constructor(name, spec, E) {
    Object.assign(this, { name, spec, E });
    this.label = make("span", "lab", spec.label, { id: `${E.id}-${name}` });
    this.el = this[`make_${spec.type}`]();
    this.el.dataset.control = name;
    if (spec.about) this.el.title = spec.about;
  }

  make_choice() {
    const group = make("div", "attn-seg", "", { role: "radiogroup", "aria-labelledby": this.label.id });
    this.buttons = this.spec.options.map((html, index) => {
      const button = make("button", "", html, { type: "button", role: "radio", "data-index": index });
      button.addEventListener("click", () => this.choose(index));
      group.append(button);
      return button;
    });
    group.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const open = this.buttons.filter((button) => !button.disabled);
      const at = open.findIndex((button) => button.getAttribute("aria-checked") === "true");
      const next = open[(at + step + open.length) % open.length];
      next.focus();
      this.choose(Number(next.dataset.index));
    });
    return group;
  }

  make_preset() {
    return this.make_choice();
  }

  make_slider() {
    const box = make("div", "attn-slider");
    this.input = make("input", "", undefined, {
      type: "range", min: 0, max: this.spec.options.length - 1, step: 1, "aria-label": this.spec.name,
    });
    this.output = make("output", "", "");
    this.input.addEventListener("input", () => this.choose(Number(this.input.value)));
    box.append(this.input, this.output);
    if (this.spec.play) box.append(this.make_player());
    return box;
  }

  // A button that walks the slider to its end; pressed at the end it begins anew.
  make_player() {
    const { words } = this.E.spec;
    this.player = make("button", "attn-press attn-play", words.play, { type: "button", "aria-label": `${words.play}: ${this.spec.name}` });
    this.player.addEventListener("click", () => {
      if (this.beat) return this.pause();
      if (Number(this.input.value) === Number(this.input.max)) this.choose(0);
      this.beat = setInterval(() => this.walk(), BEAT);
      this.name_player("pause");
    });
    return this.player;
  }

  walk() {
    const next = Number(this.input.value) + 1;
    if (!this.player.isConnected || next > Number(this.input.max)) return this.pause();
    this.choose(next);
    if (next === Number(this.input.max)) this.pause();
  }

  pause() {
    clearInterval(this.beat);
    this.beat = undefined;
    this.name_player("play");
  }

  name_player(word) {
    const text = this.E.spec.words[word];
    this.player.textContent = text;
    this.player.setAttribute("aria-label", `${text}: ${this.spec.name}`);
  }

  make_press() {
    const button = make("button", "attn-press", this.spec.label, { type: "button" });
    button.addEventListener("click", () => this.E.ask({ do: "press", name: this.name }));
    return button;
  }

  make_check() {
    const label = make("label", "attn-check", '<input type="checkbox">');
    this.input = label.firstChild;
    this.input.setAttribute("aria-label", this.spec.name);
    this.input.addEventListener("change", () => this.choose(Number(this.input.checked)));
    label.append(make("span", "", this.spec.label));
    return label;
  }

  choose(index) {
    this.E.choose({ [this.name]: index });
  }

  draw(index) {
    if (this.spec.type === "press") return;
    const all = this.spec.options.length - 1;
    const last = this.E.model.get("limits")[this.name] ?? all;
    const closed = this.E.model.get("closed")?.[this.name] ?? [];
    this.buttons?.forEach((button, k) => {
      button.setAttribute("aria-checked", k === index);
      button.tabIndex = k === index ? 0 : -1;
      if (this.spec.type === "preset") button.disabled = k === all && index !== all;
      else button.disabled = k > last || closed.includes(k);
    });
    if (this.spec.type === "slider") {
      this.input.max = last;
      this.input.value = index;
      this.input.setAttribute("aria-valuetext", this.spec.plainOptions[index]);
      this.output.innerHTML = this.spec.options[index];
    }
    if (this.spec.type === "check") this.input.checked = index === 1;
  }
}
