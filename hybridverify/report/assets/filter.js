// Which rows are shown, and in which order.

const LENGTHS = [["0-500", "under 500"], ["500-2000", "500 to 2,000"], ["2000-8000", "2,000 to 8,000"], ["8000-", "over 8,000"]];
const SORTS = {
  "": ["differing first", (a, b) => (b.disagreement > 0) - (a.disagreement > 0) || a.number - b.number],
  number: ["row", (a, b) => a.number - b.number],
  shortest: ["shortest first", (a, b) => a.length - b.length || a.number - b.number],
  longest: ["longest first", (a, b) => b.length - a.length || a.number - b.number],
  low: ["lowest score", (a, b) => a.score - b.score || a.number - b.number],
  high: ["highest score", (a, b) => b.score - a.score || a.number - b.number],
  source: ["data source", (a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : a.number - b.number)],
};

const disagreementBits = Object.entries(page.settings.disagreements).map(([bit, name]) => [Number(bit), name]);

function shownRows() {
  const words = wordsOf(state.q);
  const [least, most] = state.length.split("-");
  const bits = state.differ === "any" ? -1 : (disagreementBits.find(([, name]) => name === state.differ) || [0])[0];
  const found = rows.filter((row) =>
    (!state.outcome || row.outcome === state.outcome)
    && (!state.tier || row.tier === state.tier)
    && (!state.judge || row.judge === state.judge)
    && (!state.source || row.source === (state.source === "(none)" ? "" : state.source))
    && (!state.differ || (state.differ === "none" ? row.disagreement === 0 : (row.disagreement & bits) !== 0))
    && (!state.length || (row.length >= Number(least) && (!most || row.length < Number(most))))
    && words.every((word) => searchText(row).includes(word)));
  const order = SORTS[state.sort] || SORTS[""];
  return found.sort(order[1]);
}

// Words that a row must all hold; what stands in quotes is one.
function wordsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"?|\S+/g)].map((found) => found[1] || found[0]).slice(0, 20);
}

function searchText(row) {
  if (!row.text) {
    const said = saidOf(row).flatMap((one) => [one.who, one.answer, one.reason, ...partsOf(one.reply)]);
    const all = [...partsOf(row.question), ...row.references, ...partsOf(row.response), row.answer, row.source, row.line, ...said];
    row.text = all.filter((part) => typeof part === "string").join("\n").toLowerCase() || " ";
  }
  return row.text;
}

// The choices of every filter with the number of rows behind each.
function fillFilters() {
  fill("outcome", counted((row) => row.outcome));
  fill("tier", counted((row) => row.tier));
  fill("judge", counted((row) => row.judge));
  fill("source", counted((row) => row.source || "(none)"));
  const differing = rows.filter((row) => row.disagreement).length;
  const kinds = disagreementBits.map(([bit, name]) => [name, name, rows.filter((row) => row.disagreement & bit).length]);
  fill("differ", [["any", "any", differing], ...kinds.filter((kind) => kind[2]), ["none", "none", rows.length - differing]]);
  fill("length", LENGTHS.map(([value, name]) => {
    const [least, most] = value.split("-");
    return [value, name, rows.filter((row) => row.length >= Number(least) && (!most || row.length < Number(most))).length];
  }));
  const sort = document.getElementById("sort");
  for (const [value, [name]] of Object.entries(SORTS)) sort.append(new Option(name, value));
}

function counted(key) {
  const counts = new Map();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value, count]) => [value, value, count]);
}

function fill(name, choices) {
  const select = document.getElementById(name);
  select.append(new Option("all", ""));
  for (const [value, shown, count] of choices) {
    select.append(new Option(`${plainLine(shown, 60)} (${count.toLocaleString("en")})`, value));
  }
}
