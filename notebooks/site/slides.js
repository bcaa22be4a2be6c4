// The page's cells as slides (reveal.js): a heading begins a column, each further cell goes below
// the one before. Outputs after a prediction come one by one; the whole prose is in the notes.

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

function toSlide(cell, isRevealed) {
  if (!cell.classList.contains("code-cell")) return shortened(cell);
  const slide = document.createElement("section");
  slide.append(...cell.children);
  if (isRevealed) slide.querySelector(".output")?.classList.add("fragment");
  return slide;
}

function build(cells) {
  const deck = document.createElement("div");
  deck.className = "slides";
  let column = null;
  let isPredicted = false;
  for (const cell of cells) {
    const mark = cell.dataset.slide;
    if (mark === "skip") continue;
    if (mark === "notes") {
      column?.lastChild?.querySelector(".notes")?.append(...cell.children);
      continue;
    }
    const slide = toSlide(cell, isPredicted || mark === "fragment");
    if (!column || mark === "slide") deck.append(column = document.createElement("section"));
    column.append(slide);
    isPredicted = cell.dataset.predict === "yes";
  }
  return deck;
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
    plugins: [Notes], hash: true, width: 1200, height: 750, margin: 0.04, center: false,
    transition: "none", slideNumber: "h.v",
  });
  await shown.initialize();
  document.documentElement.dataset.slides = "yes";
}
