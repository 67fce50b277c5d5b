// Texts of strangers as nodes: no markup is ever read, characters that steer are written out, formulas are drawn.

const MAX_FORMULA = 1500; // characters; a longer one stays as it is written
const MAX_FORMULAS = 300; // of one text
const MAX_DRAWN = 30000; // characters of all formulas of one text
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;
const STEERING = new RegExp(STEERS.source); // without the place that a global pattern keeps
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long|char)(?![a-zA-Z])/;
const OPENINGS = /\$\$|\\\[|\\\(|\$|\\boxed\{|\\begin\{(?:equation|align|aligned|gather|matrix|[pbvBV]matrix|cases|array)\*?\}/g;

// A text without formulas: what steers is shown by its code point.
function appendPlain(parent, text) {
  if (!STEERING.test(text)) {
    parent.append(text);
    return;
  }
  let before = 0;
  for (const found of text.matchAll(STEERS)) {
    parent.append(text.slice(before, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    const shown = element("span", "steer", `U+${code}`);
    shown.title = "a character that cannot be seen, or that steers how text is shown";
    parent.append(shown);
    before = found.index + found[0].length;
  }
  parent.append(text.slice(before));
}

function plainLine(text, most) {
  const line = text.slice(0, most).replace(/\s+/g, " ").trim();
  return line.replace(STEERS, (letter) => `[U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

// Formulas of a text: [start, end, TeX, display]. One pass; what is not closed is no formula.
function formulasOf(text) {
  const found = [];
  let drawn = 0;
  let end = 0;
  let budget = 4 * MAX_FORMULAS; // openings looked at: a text of dollar signs stays cheap
  for (const opening of text.matchAll(OPENINGS)) {
    if (opening.index < end) continue;
    if (found.length >= MAX_FORMULAS || drawn > MAX_DRAWN || budget-- <= 0) break;
    const formula = closed(text, opening[0], opening.index);
    if (!formula) continue;
    found.push(formula);
    drawn += formula[2].length;
    end = formula[1];
  }
  return found;
}

function closed(text, opening, start) {
  if (start > 0 && text[start - 1] === "\\" && opening[0] === "$") return null;
  const from = start + opening.length;
  const window = text.slice(from, from + MAX_FORMULA + 40);
  if (opening === "\\boxed{") return closedBox(text, start, window);
  const environment = opening.startsWith("\\begin");
  const closing = environment ? opening.replace("\\begin", "\\end")
    : { "$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$" }[opening];
  let at = window.indexOf(closing);
  while (opening === "$" && at > 0 && window[at - 1] === "\\") at = window.indexOf("$", at + 1);
  if (at <= 0) return null;
  const inside = window.slice(0, at);
  if (opening === "$" && !looksLikeFormula(inside, window[at + 1] || "")) return null;
  const end = from + at + closing.length;
  return [start, end, environment ? text.slice(start, end) : inside, opening !== "$" && opening !== "\\("];
}

// A box outside of formulas: to the brace that closes it.
function closedBox(text, start, window) {
  let depth = 1;
  for (let at = 0; at < window.length; at += 1) {
    if (window[at] === "\\") at += 1;
    else if (window[at] === "{") depth += 1;
    else if (window[at] === "}" && (depth -= 1) === 0) {
      const end = start + 7 + at + 1;
      return [start, end, text.slice(start, end), false];
    }
  }
  return null;
}

// TeX without dollar signs: commands or powers, and no two words side by side.
function isBareFormula(text) {
  return text.length <= 400 && /\\[a-zA-Z]+|[\^_]|\{,\}/.test(text) && !text.includes("$")
    && !/(?<![\\a-zA-Z])[a-zA-Z]{3,} +[a-zA-Z]{3,}/.test(text);
}

// "$5 and $6" are prices: between single dollars a formula has no space at its ends, no blank line, no digit behind.
function looksLikeFormula(inside, next) {
  return !/^\s|\s$|\n\s*\n/.test(inside) && !/[0-9]/.test(next);
}

function appendFormula(parent, tex, display, source) {
  const holder = element("span", display ? "formula display" : "formula");
  if (window.katex && !STEERING.test(tex) && !DEFINES.test(tex)) { // no macros of its own: they may grow without end
    try {
      window.katex.render(tex, holder, {
        output: "mathml", displayMode: display, throwOnError: true, trust: false, strict: "ignore",
        maxExpand: 300, maxSize: 10, globalGroup: false,
      });
      holder.title = plainLine(source, 300);
      for (const note of holder.querySelectorAll("annotation")) note.remove(); // the title holds it
      parent.append(holder);
      return;
    } catch (error) {
      holder.replaceChildren(); // too deep, too much, or no TeX: shown as it is written
    }
  }
  appendPlain(parent, source);
}

// One text, cut or whole, with the answer marked. `place` is [part, start, end].
function textNode(text, place, drawn, className) {
  const made = element("div", `text ${className || ""} ${drawn ? "" : "raw"}`);
  made.dir = "auto";
  partsOf(text).forEach((part, at) => {
    if (typeof part === "number") {
      made.append(element("span", "cut", `${part.toLocaleString("en")} characters left out`));
      return;
    }
    const mark = place && place[0] === at ? [place[1], place[2]] : null;
    appendPart(made, part, drawn ? formulasOf(part) : [], mark);
  });
  return made;
}

function appendPart(parent, part, formulas, mark) {
  let before = 0;
  for (const [start, end, tex, display] of formulas) {
    appendMarked(parent, part, before, display ? withoutSpace(part, before, start) : start, mark);
    const inside = mark && mark[0] >= start && mark[1] <= end;
    const holder = inside ? parent.appendChild(element("mark", "")) : parent;
    appendFormula(holder, tex, display, part.slice(start, end));
    before = display && /[ \n]/.test(part[end] || "") ? end + 1 : end; // it stands on lines of its own
  }
  appendMarked(parent, part, before, part.length, mark);
}

function withoutSpace(part, start, end) {
  return end > start && /[ \n]/.test(part[end - 1]) ? end - 1 : end;
}

function appendMarked(parent, part, start, end, mark) {
  const first = mark ? Math.max(start, mark[0]) : end;
  const last = mark ? Math.min(end, mark[1]) : end;
  if (!mark || first >= last) {
    appendPlain(parent, part.slice(start, end));
    return;
  }
  appendPlain(parent, part.slice(start, first));
  const shown = element("mark", "");
  shown.title = "the answer that was read";
  appendPlain(shown, part.slice(first, last));
  parent.append(shown);
  appendPlain(parent, part.slice(last, end));
}
