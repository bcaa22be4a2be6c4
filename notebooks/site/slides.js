// The page's cells as slides (reveal.js), by the marks of talk.py: a heading begins a column, code
// and predictions go below, what is seen comes at the next key; the whole prose is in the notes.

const BASE = new URL("reveal/", import.meta.url);

function style(name) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: new URL(name, BASE) });
  document.head.append(link);
  return new Promise((done) => { link.onload = done; });
}

function shortened(cell) {
  // On the slide: heading, first paragraph, formulas, pictures, lists; all of it in the notes.
  const slide = document.createElement("section");
  let paragraphs = 0;
  for (const part of cell.children) {
    const isText = part.tagName === "P" && !part.querySelector(".katex-display, img");
    if (isText && ++paragraphs > 1) continue;
    slide.append(part.cloneNode(true));
  }
  const notes = document.createElement("aside");
  notes.className = "notes";
  notes.innerHTML = cell.innerHTML;
  slide.append(notes);
  return slide;
}

function coded(cell, mark) {
  const slide = document.createElement("section");
  const notes = document.createElement("aside");
  notes.className = "notes";
  slide.append(...cell.children, notes);
  slide.dataset.code = "yes";
  if (mark === "fragment") slide.querySelector(".output")?.classList.add("fragment");
  const code = slide.querySelector(".code");
  slide.dataset.explorer = /_explorer\(/.test(code?.textContent) ? "yes" : "no";
  // The question itself is shown, and so is the explorer.
  if (slide.dataset.explorer === "yes" || code?.textContent.startsWith("predict(")) code.remove();
  return slide;
}

function follow(slide, cell) {
  // What is seen: its first paragraph on the slide at the next key, all of it in the notes.
  const seen = cell.firstElementChild.cloneNode(true);
  seen.classList.add("fragment");
  const notes = slide.querySelector(".notes");
  notes.before(seen);
  notes.append(...cell.children);
  slide.dataset.code = "seen";
}

function note(slide, cell) {
  // An answer stands at the end of the page: the speaker has it here.
  const links = [...cell.querySelectorAll("a[href^='#answer-']")];
  const answers = links.map((link) => document.querySelector(link.getAttribute("href")));
  for (const answer of answers) slide.querySelector(".notes").append(...answer.children);
}

// The marks are those of talk.py.
function build(cells) {
  const deck = document.createElement("div");
  deck.className = "slides";
  let column = null;
  for (const cell of cells) {
    const mark = cell.dataset.slide;
    const last = column?.lastChild;
    if (mark === "skip") continue;
    if (mark === "notes" && last) note(last, cell);
    else if (mark === "follows" && last?.dataset.code === "yes") follow(last, cell);
    else {
      const isCode = cell.classList.contains("code-cell");
      if (!column || mark === "slide") deck.append(column = document.createElement("section"));
      column.append(isCode ? coded(cell, mark) : shortened(cell));
    }
  }
  return deck;
}

const [WIDTH, HEIGHT, SMALLEST] = [1200, 750, 0.6];
const frame = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });

async function fit(deck) {
  // What is too large for its slide is drawn smaller; what would then be too small to read scrolls.
  deck.classList.add("is-fitting");
  const slides = [...deck.querySelectorAll("section")].filter((one) => !one.querySelector("section"));
  const zooms = new Map(slides.map((slide) => [slide, 1]));
  for (let round = 0; round < 4; round += 1) {
    await frame(); // explorers lay themselves out anew in the room they are given
    for (const [slide, zoom] of zooms) {
      const room = Math.min(HEIGHT / slide.scrollHeight, WIDTH / slide.scrollWidth);
      if (room >= 1) continue;
      zooms.set(slide, Math.max(SMALLEST, 0.99 * room * zoom));
      for (const part of slide.children) part.style.zoom = zooms.get(slide);
    }
  }
  deck.classList.remove("is-fitting");
}

export async function show() {
  const cells = [...document.querySelectorAll("section.cell:not(.answer)")];
  const deck = document.createElement("div");
  deck.className = "reveal";
  deck.append(build(cells));
  document.body.replaceChildren(deck);
  document.body.classList.add("deck");
  await Promise.all([style("reveal.css"), style("theme.css"), style("../slides.css")]);
  const [{ default: Reveal }, { default: Notes }] = await Promise.all([
    import(new URL("reveal.esm.js", BASE)), import(new URL("notes.esm.js", BASE)),
  ]);
  const shown = new Reveal(deck, {
    plugins: [Notes], hash: true, width: WIDTH, height: HEIGHT, margin: 0.04, center: false,
    transition: "none", slideNumber: "h.v",
  });
  await shown.initialize();
  await fit(deck);
  document.documentElement.dataset.slides = "yes";
}
