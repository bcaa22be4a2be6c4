// One matrix on screen: read, edit or toggle its cells; select one to see its arithmetic.
// The numbers, texts and colours come ready from Python; here they are only put in place.

function render({ model, el }) {
  const root = make("div", { class: "attn-matrix" });
  keepKeys(root);
  el.append(root);
  let cells = []; // cells[i][j]: the element that carries the number and the focus
  let focus = [0, 0];

  const mode = () => model.get("mode");
  const at = ([i, j]) => (cells[i] || [])[j];

  // A frame of another shape brings its own labels.
  const labels = (frame) => [frame.rows || model.get("rows"), frame.cols || model.get("cols")];

  function build() {
    const frame = currentFrame(model);
    const [rows, cols] = labels(frame);
    const table = make("table", { role: "grid", "aria-label": model.get("name") });
    table.append(make("caption"));
    const head = make("tr", {}, make("td"));
    const long = cols.some((label) => [...label].length > 5);
    cols.forEach((label) => head.append(make("th", { scope: "col" }, make("span", {}, label))));
    if (frame.notes.length) head.append(make("td", { class: "note" }, frame.note_title));
    table.append(make("thead", long ? { class: "long" } : {}, head));
    const body = make("tbody");
    cells = rows.map((label, i) => {
      const row = make("tr", {}, make("th", { scope: "row" }, label));
      const line = cols.map((_, j) => makeCell(row, i, j));
      if (frame.notes.length) row.append(make("td", { class: "note" }));
      body.append(row);
      return line;
    });
    table.append(body);
    table.classList.toggle("small", cols.length > 9);
    root.replaceChildren(table);
    focus = [0, 0];
    setRoving();
  }

  function makeCell(row, i, j) {
    const cell = make("td", { role: "gridcell", "data-row": i, "data-col": j });
    row.append(cell);
    if (mode() === "read") {
      cell.append(make("span"));
      return cell;
    }
    const tag = mode() === "edit" ? "input" : "button";
    const inner = make(tag, tag === "input" ? { inputmode: "decimal", autocomplete: "off" } : { type: "button" });
    if (tag === "button") inner.append(make("span"));
    cell.append(inner);
    return inner;
  }

  function paint() {
    const frame = currentFrame(model);
    const [rows, cols] = labels(frame);
    const wanted = JSON.stringify([rows, cols, mode(), frame.notes.length > 0]);
    if (root.dataset.built !== wanted) {
      root.dataset.built = wanted;
      build();
    }
    root.querySelector("caption").replaceChildren(...lowered(frame.title || model.get("title")));
    const [first, second] = [model.get("row_axis"), model.get("col_axis")];
    const selected = model.get("selected");
    cells.forEach((line, i) =>
      line.forEach((element, j) => {
        const box = element.closest("td");
        const text = frame.texts[i][j];
        box.style.background = frame.fills[i][j];
        box.style.color = frame.inks[i][j];
        box.classList.toggle("hatched", frame.hatched[i][j]);
        box.classList.toggle("outlined", frame.outlined[i][j]);
        box.classList.toggle("selected", selected[0] === i && selected[1] === j);
        box.dataset.value = frame.values[i][j] === null ? "" : frame.values[i][j];
        const name = `${first} ${rows[i]}, ${second} ${cols[j]}: ${text}`;
        element.setAttribute("aria-label", frame.hatched[i][j] ? `${name}, ${model.get("hidden_word")}` : name);
        if (mode() === "edit") {
          if (document.activeElement !== element) element.value = text;
        } else {
          element.querySelector("span").textContent = text;
        }
        if (mode() === "toggle") element.setAttribute("aria-pressed", !frame.hatched[i][j]);
        if (mode() === "read") box.setAttribute("aria-selected", box.classList.contains("selected"));
      }),
    );
    root.querySelectorAll("td.note").forEach((note, i) => {
      note.textContent = i === 0 ? frame.note_title : frame.notes[i - 1];
    });
  }

  // Keyboard: one cell of the grid is reachable by Tab, arrows move from there.
  function setRoving() {
    cells.flat().forEach((element) => element.setAttribute("tabindex", -1));
    if (at(focus)) at(focus).setAttribute("tabindex", 0);
  }
  function moveTo(i, j) {
    if (!at([i, j])) return;
    focus = [i, j];
    setRoving();
    at(focus).focus();
  }
  const place = (event) => {
    const cell = event.target.closest("td[data-row]");
    return cell && [Number(cell.dataset.row), Number(cell.dataset.col)];
  };
  root.addEventListener("focusin", (event) => {
    const here = place(event);
    if (!here) return;
    focus = here;
    setRoving();
    // After the click that brought the focus: typing then replaces the number.
    if (mode() === "edit") requestAnimationFrame(() => event.target.select());
  });
  root.addEventListener("keydown", (event) => {
    const here = place(event);
    if (!here) return;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    const sideways = step && step[0] === 0;
    if (mode() === "edit" && sideways && !atTextEdge(event.target, step[1])) return;
    if (mode() === "edit" && step && !sideways && event.shiftKey) {
      event.preventDefault();
      nudge(here, -step[0]);
    } else if (step) {
      event.preventDefault();
      moveTo(here[0] + step[0], here[1] + step[1]);
    } else if (event.key === "Enter" && mode() === "edit") {
      event.preventDefault();
      event.target.value = currentFrame(model).texts[here[0]][here[1]];
      moveTo(here[0] + 1, here[1]);
    } else if ((event.key === "Enter" || event.key === " ") && mode() === "read") {
      event.preventDefault();
      select(here);
    } else if (event.key === "Home" || event.key === "End") {
      if (mode() === "edit") return;
      event.preventDefault();
      moveTo(here[0], event.key === "Home" ? 0 : cells[here[0]].length - 1);
    }
  });
  function atTextEdge(input, direction) {
    const all = input.selectionEnd - input.selectionStart === input.value.length;
    return all || input.selectionStart === (direction < 0 ? 0 : input.value.length);
  }

  // What the learner does goes to Python as an event; Python answers with new frames.
  function nudge([i, j], direction) {
    const value = Number(cells[i][j].value.replace("−", "-")) || 0;
    const next = Math.round((value + direction * model.get("step")) * 1e6) / 1e6;
    cells[i][j].value = String(next).replace("-", "−");
    send("edit", [i, j], String(next));
  }
  function send(kind, [row, col], text = "") {
    model.send({ kind, row, col, text });
  }
  function select([i, j]) {
    const [a, b] = model.get("selected");
    model.set("selected", a === i && b === j ? [] : [i, j]);
    model.save_changes();
  }
  root.addEventListener("click", (event) => {
    const here = place(event);
    if (!here) return;
    if (mode() === "toggle") send("toggle", here);
    if (mode() === "read") {
      moveTo(...here);
      select(here);
    }
  });
  root.addEventListener("input", (event) => {
    const text = event.target.value.trim().replace("−", "-");
    const good = text !== "" && Number.isFinite(Number(text));
    event.target.setAttribute("aria-invalid", !good);
    if (good) send("edit", place(event), text);
  });
  root.addEventListener("focusout", (event) => {
    if (mode() !== "edit" || !place(event)) return;
    const [i, j] = place(event);
    event.target.setAttribute("aria-invalid", false);
    event.target.value = currentFrame(model).texts[i][j];
  });

  const stop = followFrames(model, paint);
  const others = ["rows", "cols", "selected", "mode"].map((name) => `change:${name}`);
  others.forEach((event) => model.on(event, paint));
  return () => {
    stop();
    others.forEach((event) => model.off(event, paint));
  };
}

export default { render };
