// The list: only the rows on the screen are elements, so that 10,000 cost no more than 30.

const HEIGHT = 66; // as in the style
const OVERSCAN = 6;
const list = document.getElementById("list");
const spacer = document.getElementById("spacer");
let shown = [];
let chosen = -1; // position in `shown`
const items = new Map();

function showList(found) {
  shown = found;
  for (const item of items.values()) item.remove();
  items.clear();
  spacer.style.height = `${Math.max(1, shown.length) * HEIGHT}px`;
  list.scrollTop = Math.min(list.scrollTop, shown.length * HEIGHT);
  chosen = shown.findIndex((row) => row.number === state.row);
  const empty = spacer.querySelector(".empty");
  if (empty) empty.remove();
  if (!shown.length) spacer.append(element("p", "empty", "No row is like this. x shows all of them again."));
  drawList();
}

function drawList() {
  const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - OVERSCAN);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + OVERSCAN);
  for (const [at, item] of items) {
    if (at < first || at >= last) {
      item.remove();
      items.delete(at);
    }
  }
  for (let at = first; at < last; at += 1) {
    if (!items.has(at)) items.set(at, spacer.appendChild(itemOf(shown[at], at)));
    items.get(at).setAttribute("aria-selected", String(at === chosen));
  }
  if (items.has(chosen)) list.setAttribute("aria-activedescendant", `row-${shown[chosen].number}`);
  else list.removeAttribute("aria-activedescendant");
}

function itemOf(row, at) {
  const item = element("div", "item");
  item.id = `row-${row.number}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-posinset", String(at + 1));
  item.setAttribute("aria-setsize", String(shown.length));
  item.style.top = `${at * HEIGHT}px`;
  const question = plainLine(partsOf(row.question)[0] || partsOf(row.response)[0] || "", 160);
  const first = element("div", "first", element("span", "number", String(row.number)), element("span", "what", question || "(no question)"), outcomeNode(row.outcome));
  const answer = `${plainLine(row.answer, 60) || "no answer"}  ·  reference ${plainLine(row.references.join(" | "), 60) || "none"}`;
  const second = element("div", "second", element("span", "what", answer), element("span", "", plainLine(row.tier, 24)));
  if (row.label >= 0) second.append(element("span", "", row.label ? "right" : "wrong"));
  if (row.disagreement) second.append(element("span", "flag", "≠"));
  item.append(first, second);
  item.addEventListener("click", () => choose(at, true));
  return item;
}

function outcomeNode(outcome) {
  const tone = ["correct", "incorrect", "partial", "undecided"].includes(outcome) ? outcome : "";
  return element("span", `outcome ${tone}`, outcome);
}

// Open the row at this position. `keep`: make an entry in the history, for a click.
function choose(at, keep) {
  if (!shown.length) return;
  chosen = Math.min(shown.length - 1, Math.max(0, at));
  state.row = shown[chosen].number;
  reveal(chosen);
  drawList();
  showDetail(shown[chosen]);
  writeState(keep);
}

function reveal(at) {
  const top = at * HEIGHT;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + HEIGHT - list.clientHeight;
}

// The next row (or the one before) that disagrees.
function chooseDisagreeing(step) {
  for (let at = chosen + step; at >= 0 && at < shown.length; at += step) {
    if (shown[at].disagreement) {
      choose(at, false);
      return;
    }
  }
}
