// Controls with names that people and screen readers can read: native elements, one number each.

function render({ model, el }) {
  const look = model.get("look");
  const root = make(look === "choice" ? "fieldset" : "div", { class: `attn-control ${look}` });
  keepKeys(root);
  el.append(root);
  const shows = { slider, choice, check, button };
  const paint = shows[look](model, root);
  const events = ["change:index", "change:options", "change:label"];
  events.forEach((event) => model.on(event, paint));
  paint();
  return () => events.forEach((event) => model.off(event, paint));
}

function put(model, index) {
  model.set("index", index);
  model.save_changes();
}

function slider(model, root) {
  const input = make("input", { type: "range", min: 0, step: 1 });
  const name = make("span", { class: "name" });
  const output = make("output");
  root.append(make("label", {}, name, input), output);
  input.addEventListener("input", () => put(model, Number(input.value)));
  return () => {
    const options = model.get("options");
    name.textContent = model.get("label");
    input.max = options.length - 1;
    input.value = model.get("index");
    input.setAttribute("aria-valuetext", options[model.get("index")]);
    output.textContent = options[model.get("index")];
    root.dataset.index = model.get("index");
  };
}

function choice(model, root) {
  // Each widget loads this module anew, so only chance keeps two groups of buttons apart.
  const group = `attn-choice-${Math.random().toString(36).slice(2)}`;
  const legend = make("legend");
  root.append(legend);
  root.addEventListener("change", (event) => put(model, Number(event.target.value)));
  return () => {
    const options = model.get("options");
    legend.textContent = model.get("label");
    if (root.dataset.options !== JSON.stringify(options)) {
      root.dataset.options = JSON.stringify(options);
      root.replaceChildren(legend);
      options.forEach((text, i) => {
        const input = make("input", { type: "radio", name: group, value: i });
        root.append(make("label", {}, input, make("span", {}, text)));
      });
    }
    root.querySelectorAll("input").forEach((input, i) => (input.checked = i === model.get("index")));
    root.dataset.index = model.get("index");
  };
}

function check(model, root) {
  const input = make("input", { type: "checkbox" });
  const name = make("span", { class: "name" });
  root.append(make("label", {}, input, name));
  input.addEventListener("change", () => put(model, input.checked ? 1 : 0));
  return () => {
    name.textContent = model.get("label");
    input.checked = model.get("index") === 1;
    root.dataset.index = model.get("index");
  };
}

function button(model, root) {
  const element = make("button", { type: "button" });
  root.append(element);
  element.addEventListener("click", () => put(model, model.get("index") + 1));
  return () => {
    element.textContent = model.get("label");
    root.dataset.index = model.get("index");
  };
}

export default { render };
