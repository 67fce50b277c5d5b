// The calculators: rates corrected for a share of right answers, or for a verifier's own errors.

const Z = 1.959963984540054; // 95 %, both sides

function percent(value) {
  return `${(100 * value).toFixed(1)}%`;
}

function within(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

function interval(value, deviation) {
  return `${(100 * within(value - Z * deviation, 0, 1)).toFixed(1)}–${(100 * within(value + Z * deviation, 0, 1)).toFixed(1)}`;
}

// TPR and FPR of one grader with their variances. Half a row is added to each cell, so that none is 0.
function ratesOf(counts) {
  const right = counts.tp + counts.fn;
  const wrong = counts.fp + counts.tn;
  if (!right || !wrong) return null;
  const [t, f] = [(counts.tp + 0.5) / (right + 1), (counts.fp + 0.5) / (wrong + 1)];
  return {
    tpr: counts.tp / right, fpr: counts.fp / wrong, t, f,
    tprVariance: (t * (1 - t)) / right, fprVariance: (f * (1 - f)) / wrong,
    // of the logarithms of both likelihood ratios
    accepted: (1 - t) / (t * right) + (1 - f) / (f * wrong), refused: t / ((1 - t) * right) + f / ((1 - f) * wrong),
  };
}

function correctedRow(name, counts, share) {
  const rates = ratesOf(counts);
  const row = element("tr", name === page.settings.main ? "main" : "");
  const title = element("th", "", name);
  title.scope = "row";
  row.append(title);
  if (!rates) {
    for (let at = 0; at < 4; at += 1) row.append(element("td", "n", "–"));
    return row;
  }
  const accuracy = share * rates.tpr + (1 - share) * (1 - rates.fpr);
  const spread = Math.sqrt(share ** 2 * rates.tprVariance + (1 - share) ** 2 * rates.fprVariance);
  const accepted = share * rates.tpr + (1 - share) * rates.fpr;
  const refused = 1 - accepted;
  row.append(cellOf(accuracy, interval(accuracy, spread)));
  const odds = share / (1 - share);
  row.append(accepted > 0 ? byOdds((share * rates.tpr) / accepted, (odds * rates.t) / rates.f, rates.accepted) : element("td", "n", "–"));
  row.append(refused > 0 ? byOdds(((1 - share) * (1 - rates.fpr)) / refused, (1 - rates.f) / (odds * (1 - rates.t)), rates.refused) : element("td", "n", "–"));
  row.append(cellOf(accepted, interval(accepted, spread)));
  return row;
}

// A share with the interval of its odds, whose logarithm has this variance. It has a width also where the share is 1.
function byOdds(share, odds, variance) {
  const ends = [-1, 1].map((side) => 1 / (1 + Math.exp(-(Math.log(odds) + side * Z * Math.sqrt(variance)))));
  return cellOf(share, `${(100 * Math.min(ends[0], share)).toFixed(1)}–${(100 * Math.max(ends[1], share)).toFixed(1)}`);
}

function cellOf(value, between) {
  return element("td", "n", percent(value), " ", element("small", "", between));
}

function showAgreeRates() {
  const slider = document.getElementById("share");
  const table = document.getElementById("corrected");
  const counts = page.settings.graders[page.settings.main];
  const here = (counts.tp + counts.fn) / Math.max(1, counts.tp + counts.fn + counts.fp + counts.tn);
  slider.value = String(Math.round(within(100 * here, 1, 99)));
  const draw = () => {
    document.getElementById("share-text").textContent = `${slider.value}%  (labelled right here: ${percent(here)})`;
    const titles = ["grader", "accuracy", "accepted are right", "refused are wrong", "accepted"];
    const head = element("tr", "", ...titles.map((title, at) => element("th", at ? "n" : "", title)));
    const body = Object.entries(page.settings.graders).map(([name, each]) => correctedRow(name, each, slider.value / 100));
    table.replaceChildren(element("thead", "", head), element("tbody", "", ...body));
  };
  slider.addEventListener("input", draw);
  draw();
}

function showGradeRates() {
  const fields = ["tpr", "fpr"].map((name) => document.getElementById(name));
  const { share, rows: count } = page.settings.accepted;
  const draw = () => {
    const [tpr, fpr] = fields.map((field) => Number(field.value));
    const said = document.getElementById("corrected");
    if (!count) said.textContent = "No row is decided.";
    else if (!(tpr > fpr)) said.textContent = "TPR has to be above FPR: else the grades say nothing of the answers.";
    else {
      const deviation = Math.sqrt((share * (1 - share)) / count) / (tpr - fpr);
      const value = (share - fpr) / (tpr - fpr);
      const note = value < 0 || value > 1 ? " These rates do not fit this run." : "";
      said.textContent = `True share of right answers: ${percent(within(value, 0, 1))} (95% interval ${interval(value, deviation)}%, the rates taken as exact).${note}`;
    }
  };
  fields.forEach((field) => field.addEventListener("input", draw));
  draw();
}

function showRates() {
  document.getElementById("correction").hidden = false;
  if (page.settings.kind === "agree") showAgreeRates();
  else showGradeRates();
}
