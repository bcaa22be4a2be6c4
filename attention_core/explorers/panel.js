// A picture or a few words, taken from the prepared frames.

function render({ model, el }) {
  const root = make("div", { class: "attn-panel" });
  if (model.get("live")) root.setAttribute("role", "status");
  el.append(root);
  return followFrames(model, () => {
    root.innerHTML = currentFrame(model);
  });
}

export default { render };
