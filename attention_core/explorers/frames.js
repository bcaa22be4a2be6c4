// Shared by the views: which of the prepared frames is on screen, and keys that stay inside.

// The controls write their positions into axis0, axis1, …; together they number one frame.
function currentFrame(model) {
  const sizes = model.get("frame_shape");
  const number = sizes.reduce((sum, size, axis) => sum * size + model.get(`axis${axis}`), 0);
  const frames = model.get("frames");
  return frames[Math.min(number, frames.length - 1)];
}

// Paint now and whenever another frame is chosen or new frames arrive.
function followFrames(model, paint) {
  const events = ["frames", "axis0", "axis1", "axis2", "axis3"].map((name) => `change:${name}`);
  events.forEach((event) => model.on(event, paint));
  paint();
  return () => events.forEach((event) => model.off(event, paint));
}

// Letters typed here are not notebook commands.
function keepKeys(element) {
  element.addEventListener("keydown", (event) => event.stopPropagation());
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A symbol such as "d_k": what follows "_" is lowered.
function lowered(text) {
  return text.split(/_(\w+)/).map((part, i) => (i % 2 ? make("sub", {}, part) : part));
}
