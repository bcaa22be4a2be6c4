// What moved between two moments: cells, their old values, and one sentence that counts them.

// name -> Map of "r c" -> { old, now }: the texts, with digits enough to tell them apart.
function difference(before, now, names = Object.keys(now)) {
  const moved = {};
  for (const name of names.filter((each) => now[each])) {
    const frame = now[name];
    const old = before[name];
    moved[name] = new Map();
    if (!old) continue;
    // Other rows or columns: no cell has an old value.
    moved[name].isRenewed = old.v.length !== frame.v.length || old.v[0]?.length !== frame.v[0]?.length;
    if (moved[name].isRenewed) continue;
    frame.v.forEach((line, r) =>
      line.forEach((value, c) => {
        const was = old.v[r][c];
        const tiny = 1e-12 * Math.max(Math.abs(value ?? 0), Math.abs(was ?? 0));
        const same = value === was || (value !== null && was !== null && Math.abs(value - was) <= tiny);
        if (same && Boolean(old.h?.[r][c]) === Boolean(frame.h?.[r][c])) return;
        const texts = [old.x[r][c], frame.x[r][c]];
        const clash = texts[0] === texts[1] && value !== null && was !== null && value !== was;
        const [oldText, nowText] = clash ? apart(was, value) : texts;
        moved[name].set(`${r} ${c}`, { old: oldText, now: nowText });
      }),
    );
  }
  return moved;
}

// Which row, which column, or how many, and in which matrices.
function describe(moved, specs, words, heads) {
  const groups = new Map();
  const same = [];
  const renewed = [];
  let total = 0;
  for (const [name, cells] of Object.entries(moved)) {
    if (specs[name]?.mode !== "read") continue;
    if (!cells.size) {
      (cells.isRenewed ? renewed : same).push(name);
      continue;
    }
    total += cells.size;
    const places = [...cells.keys()].map((key) => key.split(" ").map(Number));
    const rows = new Set(places.map(([r]) => r));
    const cols = new Set(places.map(([, c]) => c));
    const key = rows.size === 1 ? `row ${[...rows][0]}` : cols.size === 1 ? `column ${[...cols][0]}` : `some ${name}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const symbols = (names) => names.map((name) => specs[name].symbol).join(words.comma);
  const parts = [...groups].map(([key, names]) => {
    const [kind, index] = key.split(" ");
    const start =
      kind === "some"
        ? words.some.replace("{n}", moved[names[0]].size)
        : words[kind].replace("{i}", Number(index) + 1);
    return start + symbols(names);
  });
  if (renewed.length) parts.push(words.renewed + symbols(renewed));
  if (!parts.length) return heads[0];
  const start = total ? (total === 1 ? heads[1] : heads[2]).replace("{n}", total) : "";
  const rest = same.length ? ` <span class="same">${words.same}${symbols(same)}</span>` : "";
  return start + parts.join(words.semicolon) + words.stop + rest;
}
