// Where matrices, panels and readings stand.

function layoutOf(E) {
  const places = {
    say: E.say, calc: E.calc, changes: E.changes,
    ...Object.fromEntries(Object.entries(E.views).map(([name, view]) => [name, view.el])),
    ...Object.fromEntries([...E.readings, ...E.more].map((view) => [view.name, view.el])),
  };
  for (const [name, el] of Object.entries(E.panels)) {
    const { label, height } = E.parts[name];
    const box = make("figure", "attn-figure", label ? `<figcaption>${label}</figcaption>` : "");
    if (height) el.style.height = `${height}px`;
    box.append(el);
    places[name] = box;
  }
  const { areas, rows } = E.spec;
  const named = (areas ? Object.values(areas) : rows).flat(3);
  const grid = make("div", areas ? "attn-grid" : "attn-rows");
  if (!named.includes("say")) grid.append(E.say);
  if (areas)
    for (const [area, names] of Object.entries(areas)) grid.append(areaOf(E, area, names, places));
  else {
    const firstOther = rows.findIndex((names) => !isStrip(E, names));
    rows.forEach((names, k) => {
      const row = make("div", `attn-row${isStrip(E, names) ? " is-strip" : ""}${k < firstOther ? " is-first" : ""}${names.some((name) => E.parts[name]?.type === "reading") ? " has-read" : ""}${names.some((name) => E.panels[name]) ? " has-panel" : ""}`);
      row.append(...names.map((name) => (Array.isArray(name) ? groupOf(name, places) : places[name])));
      grid.append(row);
    });
  }
  for (const name of ["calc", "changes"]) if (!named.includes(name)) grid.append(places[name]);
  return grid;
}

// What takes a whole line wherever it stands: arithmetic, what changed, a picture or a text alone.
function isStrip(E, names) {
  const isLine = (name) => ["say", "calc", "changes"].includes(name) || ["panel", "board", "text"].includes(E.parts[name]?.type);
  return names.every((name) => !Array.isArray(name) && isLine(name)) && (names.length === 1 || !names.some((name) => E.panels[name]));
}

// Three matrices as a product is written: the left factor, the right one above, the product.
function groupOf([top, left, product], places) {
  const box = make("div", "attn-product");
  box.append(make("span"), places[top], places[left], places[product]);
  return box;
}

function areaOf(E, area, names, places) {
  const single = names.length === 1 && ["say", "calc", "changes", "read"].includes(area);
  if (single) return places[names[0]];
  const box = make("div", `attn-${area}`);
  if (area === "proj") {
    const features = E.parts[names.find((name) => E.parts[name].reads === "tf")]?.cols ?? [];
    const axis = make("div", "attn-feat", "", { "aria-hidden": "true" });
    features.forEach((text, k) => {
      const elbow = make("div", "elbow", "<span></span>");
      elbow.style.setProperty("--f", k);
      elbow.firstChild.textContent = text;
      axis.append(elbow);
    });
    axis.style.setProperty("--features", features.length);
    box.append(axis);
  }
  box.append(...names.map((name) => places[name]));
  return box;
}
