// The strip of fixed height: the arithmetic above, the words below; and text that keeps to its place.

function drawCalc(E, at) {
  const [equation, words] = E.calc.children;
  const problem = E.note || E.error || (E.isAsleep ? E.spec.words.asleep : "");
  E.calc.classList.toggle("is-error", Boolean(problem));
  let html = "";
  let text = "";
  let role = "n";
  if (at.kind === "cell" && E.frames[at.m]?.v[at.r]?.[at.c] !== undefined) {
    const spec = E.parts[at.m];
    const view = E.views[at.m];
    const frame = E.frames[at.m];
    const [rows, cols] = view.labels(frame);
    const isHidden = Boolean(frame.h?.[at.r]?.[at.c]);
    const fill = { row: rows[at.r], col: cols[at.c], i: at.r + 1, j: at.c + 1, "=": frame.x[at.r][at.c] };
    role = spec.role;
    html = E.arithmetic.of(at);
    text = ((isHidden && spec.hiddenWords) || spec.words).replace(
      /\{(row|col|i|j|=)\}/g, (_, name) => Object.assign(make("b"), { textContent: fill[name] }).outerHTML,
    );
    if (frame.m?.[at.r]?.[at.c] && spec.mark) text += ` ${spec.mark}`;
  } else if (at.kind === "mat") {
    const { symbol, equation: rest, about } = E.parts[at.m];
    role = E.parts[at.m].role;
    const [rows, cols] = E.links.shape(at.m);
    html = `${symbol} ${rest} <span class="size">${rows} × ${cols}</span>`;
    text = about;
  }
  E.calc.dataset.role = role;
  if (html) equation.innerHTML = html;
  if (problem) words.textContent = problem;
  else words.innerHTML = text;
  for (const line of [equation, words]) fit(line);
}

// Text too large for its place is set smaller rather than cut: measured when the frame stands.
const toFit = new Set();

function fit(place) {
  if (!toFit.size) afterFrame(fitAll);
  toFit.add(place);
}

function fitAll() {
  const places = [...toFit];
  toFit.clear();
  for (const place of places) if (place.style.fontSize) place.style.fontSize = "";
  const sizes = places.map((place) => {
    const share = (room, needed) => (room && needed > room + 1 ? room / needed : 1);
    const wide = share(place.clientWidth, place.scrollWidth);
    const isBox = place.classList.contains("txt");
    const high = isBox ? Math.sqrt(share(place.clientHeight, place.scrollHeight)) : 1;
    return Math.max(45, Math.floor(100 * Math.min(wide, high)) - 2);
  });
  places.forEach((place, k) => {
    if (sizes[k] < 98) place.style.fontSize = `${sizes[k]}%`;
  });
}
