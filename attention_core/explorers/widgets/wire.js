// What is told to Python, and what is said where no answer comes.

const PATIENCE = 3000; // ms without a reply before saying that the kernel may be gone

class Wire {
  constructor(model) {
    this.model = model;
  }

  // Settings: what is prepared is shown at once; Python hears of it in any case.
  choose(indices) {
    this.at = { ...this.at, ...indices };
    const isPrepared = Object.keys(indices).every((name) => this.spec.framed.includes(name));
    const picture = isPrepared && !this.note ? this.picture() : null;
    if (picture) this.show(picture);
    for (const control of this.controls) control.draw(this.at[control.name]);
    lightUp(this);
    this.model.set("at", this.at);
    this.wait();
    try {
      this.model.save_changes();
    } catch {
      this.sleepy();
    }
  }

  ask(message) {
    this.wait();
    try {
      this.model.send(message);
    } catch {
      this.sleepy();
    }
  }

  edit(name, cells) {
    const inside = cells.filter(([r, c]) => this.frames[name].v[r]?.[c] !== undefined);
    if (inside.length) this.ask({ do: "edit", name, cells: inside });
  }

  wait() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.sleepy(), PATIENCE);
  }

  sleepy() {
    clearTimeout(this.waiting);
    this.isAsleep = true;
    lightUp(this);
    this.live.textContent = this.spec.words.asleep;
    this.listenAgain();
  }

  // anywidget gives a page two seconds to load a widget. A busy page needs more, and then anywidget
  // lets nothing through that Python says: listen to the kernel without it, and ask for everything.
  async listenAgain() {
    const raw = await this.model.widget_manager?.get_model(this.model.get("me"));
    if (!raw?.comm_live) return;
    const { _handle_comm_msg: hear } = Object.getPrototypeOf(Object.getPrototypeOf(raw));
    raw.comm.on_msg(hear.bind(raw));
    this.model.send({ do: "repeat" });
  }

  heard() {
    clearTimeout(this.waiting);
    this.isAsleep = false;
    this.update();
  }
}
