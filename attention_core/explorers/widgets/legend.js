// The legend: each look that is on screen, once.

function drawLegend(E) {
  const { words } = E.spec;
  const frames = Object.values(E.frames);
  const has = (kind) => frames.some((frame) => frame.kind === kind);
  const { scale } = E.current;
  const shown = [scale, ...["signed", "weight"].map(has), frames.some((frame) => frame.h), frames.some((frame) => frame.u)].join();
  if (E.legend.dataset.shown === shown) return;
  E.legend.dataset.shown = shown;
  const swatch = (kind, t) => `<i class="attn-fill ${fillClass(kind, t)}" style="--t:${Math.abs(t)}"></i>`;
  const bar = (kind, ts) => `<span class="bar" aria-hidden="true">${ts.map((t) => swatch(kind, t)).join("")}</span>`;
  const steps = (n) => Array.from({ length: n + 1 }, (_, k) => k / n);
  const one = (html) => `<span class="one${html.includes('class="bar"') ? " is-scale" : ""}">${html}</span>`;
  const box = (style) => `<span class="key" style="border:2.5px ${style} var(--n)"></span>`;
  const items = [
    has("signed") ? `${words.value} −${cellText(scale)} ${bar("signed", [...steps(8).slice(1).map((t) => -t).reverse(), ...steps(8)])} ${cellText(scale)}` : "",
    has("weight") ? `${words.weight} 0 ${bar("weight", steps(10))} 1` : "",
    E.toggles.size || frames.some((frame) => frame.h) ? `<span class="key attn-fill is-masked"></span>${words.hidden}` : "",
    frames.some((frame) => frame.u) ? `<span class="key attn-fill is-unknown"></span>${words.unknown}` : "",
    Object.values(E.parts).some((part) => part.mode === "edit") ? `<span class="dotted">1.5</span>${words.edit}` : "",
    Object.values(E.rules).some(Boolean) ? `${box("solid")}${words.from}` : "",
    Object.values(E.rules).some(Boolean) ? `${box("dashed")}${words.to}` : "",
    `<span class="attn-tag">0.04</span>${words.old}`,
  ];
  E.legend.innerHTML = items.filter(Boolean).map(one).join("");
}
