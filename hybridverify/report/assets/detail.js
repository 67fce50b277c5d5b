// One row: question, reference, response with the answer marked, and what every tier said.

const detail = document.getElementById("detail");
const browser = document.getElementById("browser");
let drawn = true; // formulas drawn, or as they are written
let open = null;

function showDetail(row) {
  open = row;
  browser.classList.add("open");
  detail.scrollTop = 0;
  detail.setAttribute("aria-label", row ? `Row ${row.number}` : "Row");
  drawDetail();
}

function drawDetail() {
  detail.replaceChildren(...(open ? detailOf(open) : []));
}

function closeDetail() {
  browser.classList.remove("open");
  list.focus({ preventScroll: true });
}

function detailOf(row) {
  const said = saidOf(row);
  const parts = [headOf(row), aboutOf(row)];
  parts.push(...section("Question", row.question.length ? textNode(row.question, null, drawn, "") : empty("none given")));
  const references = row.references.map((one) => shortNode(one, "box"));
  const reference = element("div", "", ...section(row.references.length > 1 ? "References (any one may match)" : "Reference", ...(references.length ? references : [empty("none given")])));
  const answer = element("div", "", ...section("Answer that was read", row.answer ? shortNode(row.answer, "box") : empty("none")));
  parts.push(element("div", "answers", reference, answer));
  const unmarked = row.answer && !row.place ? " – the answer does not stand in it as it was read" : "";
  parts.push(...section(`Response${unmarked}`, row.length ? textNode(row.response, row.place, drawn, "") : empty("empty")));
  parts.push(...section("What each tier said", saidTable(said)));
  if (isRule(row.tier) && said.some((one) => one.who === row.tier) && said.filter((one) => isRule(one.who)).at(-1).who === row.tier) {
    parts.push(element("p", "note", "Rules after the one that was sure were not asked."));
  }
  for (const one of said.filter((each) => each.reply.length)) {
    parts.push(...section(`Reply of ${plainLine(one.who, 80)}`, textNode(one.reply, null, false, "reply box")));
  }
  if (said.some((one) => one.who.startsWith("judge") && !one.reply.length && one.outcome !== "skipped")) {
    parts.push(element("p", "note", "No reply is shown where a judge writes none, or where the verdict came from the cache or an earlier run, which keep none."));
  }
  return parts;
}

function headOf(row) {
  const head = element("header", "", element("h2", "", `Row ${row.number}`), outcomeNode(row.outcome), element("span", "about", `score ${row.score}`));
  for (const [bit, name] of disagreementBits) if (row.disagreement & bit) head.append(element("span", "flag", `≠ ${name}`));
  const back = button("back", "Back", "to the list (Esc)", closeDetail);
  const before = button("", "↑", "row before (k)", () => choose(chosen - 1, false));
  const next = button("", "↓", "next row (j)", () => choose(chosen + 1, false));
  before.setAttribute("aria-label", "Row before");
  next.setAttribute("aria-label", "Next row");
  const written = button("written", drawn ? "As written" : "Drawn", "mathematics as written, or drawn (m)", toggleDrawn);
  const copy = button("copy", "Copy link", "the address of this row and filter (c)", copyLink);
  head.append(element("span", "tools", back, before, next, written, copy));
  return head;
}

function aboutOf(row) {
  const facts = [
    row.source && `data source ${row.source}`, `decided by ${row.tier}`, row.policy && `policy ${row.policy}`,
    row.label >= 0 && `labelled ${row.label ? "right" : "wrong"}`,
    `response of ${row.length.toLocaleString("en")} characters`,
    row.line || `row ${row.number} of the output`,
  ];
  return element("p", "about", plainLine(facts.filter(Boolean).join("  ·  "), 600));
}

function saidTable(said) {
  const body = element("tbody", "");
  for (const one of said) {
    const name = element("th", "", plainLine(one.who, 80));
    name.scope = "row";
    const outcome = element("td", "", outcomeNode(one.outcome));
    if (one.score > 0 && one.score < 1) outcome.append(` ${one.score}`);
    if (one.pYes >= 0) outcome.append(element("small", "", `P(yes) ${one.pYes}`));
    const read = element("td", "read", one.answer ? shortNode(one.answer, "") : "");
    const why = element("td", "why", whyOf(one));
    if (one.option) why.append(element("span", "option", `convention ${one.option}`));
    body.append(element("tr", "", name, outcome, read, why));
  }
  const titles = ["tier", "said", "read as", "why"].map((title) => element("th", "", title));
  return element("div", "wide", element("table", "said", element("thead", "", element("tr", "", ...titles)), body));
}

// A reference or an answer: often TeX without dollar signs, which is drawn as a whole.
function shortNode(text, className) {
  if (!drawn || !isBareFormula(text)) return textNode(text, null, drawn, className);
  const made = element("div", `text ${className}`);
  appendFormula(made, text, false, text);
  return made;
}

function whyOf(one) {
  const why = element("span", "");
  appendPlain(why, one.reason || (one.outcome === "skipped" ? "not asked" : ""));
  return why;
}

function isRule(who) {
  return who.startsWith("rule:");
}

function section(title, ...content) {
  return [element("h3", "", title), ...content];
}

function empty(words) {
  return element("p", "about", words);
}

function button(id, name, title, action) {
  const made = element("button", "", name);
  made.type = "button";
  if (id) made.id = id;
  made.title = title;
  made.addEventListener("click", action);
  return made;
}

function toggleDrawn() {
  drawn = !drawn;
  drawDetail();
}

function copyLink() {
  const said = document.getElementById("count");
  const told = (text) => { said.textContent = text; };
  if (!navigator.clipboard) told(location.href);
  else navigator.clipboard.writeText(location.href).then(() => told("Address copied."), () => told(location.href));
}
