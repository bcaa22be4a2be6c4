// A question with radio buttons. The browser knows the question and the options, nothing else:
// the verdict and the explanation come from Python after an answer has been sent.

const PATIENCE = 3000; // ms without a verdict before saying that the kernel may be gone

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Text between backticks is code; everything else is plain text, never markup.
function withCode(text) {
  return text
    .split("`")
    .map((part, index) => (index % 2 ? element("code", {}, part) : part))
    .filter((part) => part !== "");
}

function option(text, index) {
  const letter = String.fromCharCode(65 + index);
  const radio = element("input", { type: "radio", name: "option", value: index });
  const label = element("label", {}, radio, element("b", {}, letter), element("span"));
  label.lastChild.append(...withCode(text));
  return label;
}

function render({ model, el }) {
  const words = model.get("words");
  const legend = element("legend", {}, ...withCode(model.get("text")));
  const choices = element("fieldset", {}, legend, ...model.get("options").map(option));
  const button = element("button", { type: "submit" }, words.submit);
  const form = element("form", {}, choices, button);
  const verdict = element("div", { role: "status" });
  const root = element("div", { class: "prediction", lang: model.get("lang") }, form, verdict);
  const radios = () => [...form.elements.option];
  let waiting;

  function enable() {
    button.setAttribute("aria-disabled", String(!radios().some((radio) => radio.checked)));
  }

  function say(state, text) {
    clearTimeout(waiting);
    root.dataset.state = state;
    verdict.replaceChildren(...withCode(text));
  }

  function follow() {
    const choice = model.get("choice");
    radios().forEach((radio, index) => {
      if (choice >= 0) radio.checked = index === choice;
    });
    enable();
    say(model.get("state"), model.get("verdict"));
  }

  form.addEventListener("change", enable);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = radios().findIndex((radio) => radio.checked);
    if (chosen < 0) return say("open", words.choose);
    if (chosen === model.get("choice")) return follow();
    say("waiting", "");
    waiting = setTimeout(() => say("waiting", words.asleep), PATIENCE);
    model.set("choice", chosen);
    model.save_changes();
  });
  // Letters typed here must not become shortcuts of the notebook ("a" would insert a cell).
  root.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  });
  model.on("change:answers", follow);
  follow();
  el.append(root);
  return () => {
    clearTimeout(waiting);
    model.off("change:answers", follow);
  };
}

export default { render };
