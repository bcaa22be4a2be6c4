// The parts of the page that every explorer has.

function buildPage(E, el) {
  const { words } = E.spec;
  E.root = make("div", "attn attn-explorer", "", { role: "group", lang: E.model.get("lang") });
  E.bar = new MissionBar(E);
  E.head = make("div", "attn-head");
  E.formula = make("div", "attn-formula", E.spec.formula);
  E.formula.hidden = !E.spec.formula;
  const controls = make("div", "attn-controls", "", { role: "group", "aria-label": words.controls });
  for (const control of E.controls) {
    const pair = make("span", "attn-pair");
    const isNamed = ["check", "press"].includes(control.spec.type);
    pair.append(isNamed ? make("span", "lab") : control.label, control.el);
    controls.append(pair);
  }
  controls.hidden = !E.controls.length;
  E.head.append(E.formula, controls);
  E.say = make("div", "attn-say");
  E.calc = make("div", "attn-calc", '<div class="eqn"></div><div class="words"></div>', {
    role: "group", "aria-label": words.arithmetic,
  });
  E.calc.classList.toggle("is-bare", !E.named("matrix").length);
  E.changes = make("div", "attn-changes", "", { role: "group", "aria-label": words.changes });
  E.text = make("span", "txt");
  const tools = make("span", "attn-tools");
  const button = (className, text, act, title = "") => {
    const made = make("button", className, text, { type: "button", title });
    made.addEventListener("click", act);
    tools.append(made);
    return made;
  };
  E.buttons = {
    undo: button("undo", `↶ ${words.undo}`, () => E.ask({ do: "undo" }), "Ctrl+Z"),
    redo: button("redo", `↷ ${words.redo}`, () => E.ask({ do: "redo" }), "Ctrl+Shift+Z"),
    compare: button("compare", words.compare, () => E.toggleCompare()),
    again: button("again", words.again, () => E.ask({ do: "reset" }), words.againAbout),
  };
  E.buttons.compare.setAttribute("aria-pressed", "false");
  E.changes.append(E.text, tools);
  E.legend = make("div", "attn-legend", "", { role: "group", "aria-label": words.legend });
  E.live = make("div", "attn-hidden", "", { role: "status", "aria-live": "polite" });
  E.grid = layoutOf(E);
  E.root.append(E.bar.el, E.head, E.grid, E.legend, E.live);
  el.append(E.root);
  new ResizeObserver(() => [E.say.firstChild, E.text, ...E.calc.children].filter(Boolean).forEach(fit)).observe(E.root);
}
