// A hand in a picture: where it is on the picture's own axes. Only the newest place is sent.
function followDrags(E) {
  for (const [name, panel] of Object.entries(E.panels)) {
    if (!E.parts[name].drag) continue;
    let isHeld = false;
    let waiting = null;
    const place = (event) => {
      const svg = panel.querySelector("svg");
      const box = svg.getBoundingClientRect();
      const edge = Number(svg.dataset.edge) * (box.width / svg.viewBox.baseVal.width);
      const at = (share, size) => ((share - edge) / (size - 2 * edge)) * 2 - 1;
      const reach = Number(svg.dataset.reach);
      return { x: reach * at(event.clientX - box.left, box.width), y: -reach * at(event.clientY - box.top, box.height) };
    };
    const send = (event, grabbed) => E.ask({ do: "drag", name, grabbed, ...place(event) });
    panel.classList.add("is-draggable");
    panel.addEventListener("pointerdown", (event) => {
      isHeld = true;
      panel.setPointerCapture(event.pointerId);
      send(event, true);
    });
    panel.addEventListener("pointermove", (event) => {
      if (!isHeld) return;
      if (!waiting) requestAnimationFrame(() => { send(waiting, false); waiting = null; });
      waiting = event;
    });
    for (const end of ["pointerup", "pointercancel"]) panel.addEventListener(end, () => (isHeld = false));
  }
}
