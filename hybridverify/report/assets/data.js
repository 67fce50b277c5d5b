// The data of the page: rows as objects, their names and shared texts looked up.

const page = JSON.parse(document.getElementById("data").textContent);
const names = page.rows.names;
const texts = page.rows.texts;
const named = new Set(["source", "outcome", "tier", "judge", "policy"]);
const shared = new Set(["question", "references"]);

const rows = page.rows.rows.map((values) => {
  const row = {};
  page.rows.fields.forEach((field, at) => {
    const value = values[at];
    row[field] = named.has(field) ? names[value] : shared.has(field) ? texts[value] : value;
  });
  row.text = ""; // lower-case text for the search, made when first needed
  return row;
});

// What the tiers said of a row. Read only when somebody looks at it.
function saidOf(row) {
  return row.said.map(([who, outcome, score, answer, reason, pYes, option, reply]) => ({
    who: names[who], outcome: names[outcome], score, answer, reason: texts[reason], pYes, option: names[option], reply,
  }));
}

// The parts of a text that are shown: a whole text is a string, a cut one a list of texts and of left-out lengths.
function partsOf(text) {
  return typeof text === "string" ? [text] : text;
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}
