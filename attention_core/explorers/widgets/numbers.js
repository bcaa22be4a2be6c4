// Numbers as text and text as numbers: what drawing/numbers.py says, in the browser.

const LONGEST = 7;
const TYPED = /^[+\-−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+\-−]?[0-9]+)?$/;
const withMinus = (text) => text.replaceAll("-", "−");
const asTyped = (text) => Number(text.replaceAll("−", "-"));

function odd(x) {
  if (Number.isNaN(x)) return "·";
  return Number.isFinite(x) ? "" : x > 0 ? "∞" : "−∞";
}

function cellText(x) {
  const size = Math.abs(x);
  if (odd(x) || x === 0) return odd(x) || "0";
  if (Number.isInteger(x) && size < 1e4) return withMinus(String(x));
  if (size >= 0.005 && size < 9999.5)
    return withMinus(x.toFixed(size < 99.995 ? 2 : size < 999.95 ? 1 : 0));
  for (const decimals of [2, 1, 0]) {
    const [digits, exponent] = x.toExponential(decimals).split("e");
    const plain = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
    const text = withMinus(`${plain}e${Number(exponent)}`);
    if (text.length <= LONGEST || !decimals) return text;
  }
}

const weightText = (w) => (w === 0 || w === 1 || !(w >= 0 && w <= 1) ? cellText(w) : w.toFixed(2));

function whole(x) {
  if (odd(x) || x === 0) return odd(x) || "0";
  if (Math.abs(x) >= 1e-4 && Math.abs(x) < 1e15) return withMinus(String(x));
  const [digits, exponent] = x.toExponential().split("e");
  return withMinus(`${digits}e${Number(exponent)}`);
}

// What was and what is, with as many digits as it takes to tell them apart.
function apart(old, now) {
  if (cellText(old) !== cellText(now) || old === now) return [cellText(old), cellText(now)];
  for (let digits = 3; digits < 17; digits++) {
    const texts = [old, now].map((x) => whole(Number(x.toPrecision(digits))));
    if (texts[0] !== texts[1]) return texts;
  }
  return [whole(old), whole(now)];
}

// What was typed: { value } or { reason }, one of the keys of REASONS.
function parseNumber(typed) {
  const text = typed.trim();
  if (!text) return { reason: "empty" };
  if (!TYPED.test(text))
    return { reason: TYPED.test(text.replace(",", ".")) ? "comma" : "word" };
  const value = asTyped(text) + 0;
  return Number.isFinite(value) ? { value } : { reason: "huge" };
}

// A block from a spreadsheet or a NumPy print: rows of numbers, or null.
function parseBlock(text) {
  const lines = text
    .replace(/array\(|np\.|dtype=\w+|\)/g, "")
    .replace(/\]\s*,?\s*\[/g, "\n")
    .split("\n")
    .map((line) => line.replace(/[[\](),;\t]/g, " ").trim())
    .filter(Boolean);
  const rows = lines.map((line) => line.split(/\s+/).map((part) => parseNumber(part)));
  if (!rows.length || rows.flat().some((cell) => cell.reason)) return null;
  return rows.map((row) => row.map((cell) => cell.value));
}
