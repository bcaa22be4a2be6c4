// A question with radio buttons. The browser knows the question and the options, nothing else:
// the verdict and the explanation come from Python after an answer has been sent. Until then, or
// until "show" is pressed, the veil (veil.js, which stands before this file) hides what follows.

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
  const show = element("button", { type: "button", class: "show", hidden: "" }, words.show);
  const form = element("form", {}, choices, button, show);
  const verdict = element("div", { role: "status" });
  const root = element("div", { class: "prediction", lang: model.get("lang") }, form, verdict);
  const radios = () => [...form.elements.option];
  const chosen = () => radios().findIndex((radio) => radio.checked);
  let waiting;
  let unveil = () => {};

  function enable() {
    button.setAttribute("aria-disabled", String(chosen() < 0));
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

  // A verdict speaks of the answer that was given; another choice has none yet.
  form.addEventListener("change", () => {
    if (chosen() === model.get("choice")) return follow();
    enable();
    say("open", "");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (chosen() < 0) return say("open", words.choose);
    if (chosen() === model.get("choice")) return follow();
    say("waiting", "");
    waiting = setTimeout(() => say("waiting", words.asleep), PATIENCE);
    model.set("choice", chosen());
    model.save_changes();
  });
  show.addEventListener("click", () => {
    model.set("lifted", true);
    model.save_changes();
  });
  // Letters typed here must not become shortcuts of the notebook ("a" would insert a cell).
  root.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  });
  function lift() {
    if (model.get("lifted")) unveil();
  }
  function veiled(count) {
    if (document.activeElement === show && count === 0) button.focus();
    show.hidden = count === 0;
    root.dataset.veils = count;
  }
  model.on("change:answers", follow);
  model.on("change:lifted", lift);
  follow();
  el.append(root);
  if (model.get("lifted")) veiled(0);
  else unveil = veil(root, words.veiled, veiled);
  return () => {
    clearTimeout(waiting);
    unveil();
    model.off("change:answers", follow);
    model.off("change:lifted", lift);
  };
}

export default { render };
