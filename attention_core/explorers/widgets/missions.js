// The line on top: what to try, which of it is done, and the guess that comes before the truth.

class MissionBar {
  constructor(E) {
    this.E = E;
    this.missions = E.spec.missions;
    this.now = 0;
    this.done = new Set(E.model.get("done"));
    this.el = make("div", "attn-task", "", { role: "group", "aria-label": E.spec.words.task });
    this.el.hidden = !this.missions.length;
    this.dots = make("span", "dots");
    this.what = make("span", "what");
    this.show = make("button", "show", E.spec.words.show, { type: "button" });
    this.next = make("button", "next", `${E.spec.words.next} →`, { type: "button" });
    this.buttons = this.missions.map((_, n) => {
      const button = make("button", "", "", { type: "button", "data-task": n });
      button.addEventListener("click", () => this.go(n));
      this.dots.append(button);
      return button;
    });
    this.show.addEventListener("click", () => E.guess?.reveal());
    this.next.addEventListener("click", () => {
      this.go(Math.min(this.missions.length - 1, this.now + 1));
      this.buttons[this.now].focus();
    });
    this.el.append(this.dots, this.what, this.show, this.next);
  }

  get current() {
    return this.missions[this.now];
  }

  go(n) {
    this.now = n;
    this.E.startGuess();
    this.draw();
    lightUp(this.E);
  }

  // Goals reached in the picture on screen, and those that Python has ticked.
  tick(goals = []) {
    for (const n of this.E.model.get("done")) this.done.add(n);
    goals.forEach((reached, n) => reached && this.done.add(n));
    this.draw();
  }

  // Everything is as at the start: all tasks are open again.
  restart() {
    this.done.clear();
    this.go(0);
  }

  // A guess was made: Python keeps it, too.
  add(n) {
    this.done.add(n);
    this.E.ask({ do: "tick", mission: n });
  }

  draw() {
    if (!this.missions.length) return;
    const { words } = this.E.spec;
    this.buttons.forEach((button, n) => {
      const isDone = this.done.has(n);
      button.className = isDone ? "done" : "";
      button.textContent = isDone ? "✓" : n + 1;
      button.toggleAttribute("aria-current", false);
      if (n === this.now) button.setAttribute("aria-current", "step");
      const name = words.taskOf.replace("{n}", n + 1);
      button.setAttribute("aria-label", `${name}: ${this.missions[n].plain}${isDone ? `, ${words.done}` : ""}`);
    });
    const { guess } = this.E;
    this.what.innerHTML = guess?.verdict || this.current.text;
    this.what.title = this.current.plain;
    const isOpen = Boolean(guess && !guess.verdict);
    this.show.hidden = !isOpen;
    this.show.disabled = isOpen && !guess.isReady();
    if (isOpen) this.show.textContent = words[guess.answer];
    this.el.classList.toggle("is-done", this.done.has(this.now) && this.now < this.missions.length - 1);
  }
}
