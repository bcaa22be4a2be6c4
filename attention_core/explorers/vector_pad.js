// A picture of arrows that can be dragged: it tells Python where the hand is.

function render({ model, el }) {
  const style = "cursor: grab; touch-action: none; user-select: none";
  const root = make("div", { class: "attn-panel attn-pad", style });
  el.append(root);

  // [0 grabbed | 1 moved, x, y] in the units of the vectors; the pictures are square.
  function tell(event, phase) {
    const picture = root.querySelector("svg");
    if (!picture) return;
    const box = picture.getBoundingClientRect();
    const pixels = box.width / picture.viewBox.baseVal.width;
    const half = box.width / 2;
    const unit = (half - model.get("edge") * pixels) / model.get("reach");
    const x = (event.clientX - box.left - half) / unit;
    const y = (half - (event.clientY - box.top)) / unit;
    model.set("hand", [phase, x, y]);
    model.save_changes();
  }

  let held = false;
  root.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    root.setPointerCapture(event.pointerId);
    held = true;
    tell(event, 0);
  });
  root.addEventListener("pointermove", (event) => held && tell(event, 1));
  ["pointerup", "pointercancel"].forEach((name) =>
    root.addEventListener(name, () => {
      held = false;
    }),
  );
  return followFrames(model, () => {
    root.innerHTML = currentFrame(model);
  });
}

export default { render };
