// Wide matrices are made to fit the paper.

const PAPER = 640; // px of a line on A4 and Letter, margins taken off

for (const table of document.querySelectorAll(".output table, .prose table"))
  if (table.offsetWidth > PAPER) table.style.setProperty("--fit", PAPER / table.offsetWidth);
