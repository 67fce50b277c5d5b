// Joins the parts: filters, keys, theme, address.

const byId = (id) => document.getElementById(id);
let waiting = 0;

function refresh() {
  for (const name of ["q", "sort", ...FILTERS]) {
    const field = byId(name);
    if (field.value !== state[name]) field.value = state[name];
    if (name !== "q" && field.value !== state[name]) { // a value that no row has, from an old address
      field.append(new Option(plainLine(state[name], 60), state[name]));
      field.value = state[name];
    }
    field.classList.toggle("set", Boolean(state[name]) && name !== "sort");
  }
  const found = shownRows();
  const all = found.length === rows.length;
  byId("count").textContent = all ? `${rows.length.toLocaleString("en")} rows` : `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  showList(found);
}

function showState() {
  readState();
  refresh();
  const row = rows.find((each) => each.number === state.row);
  if (row) {
    if (chosen >= 0) reveal(chosen);
    drawList();
    showDetail(row);
  } else {
    showFirst();
  }
}

// On a wide screen the first row is open; on a narrow one the list comes first.
function showFirst() {
  if (shown.length) showDetail(shown[0]);
  else showDetail(null);
  browser.classList.remove("open");
}

function changed(name, value) {
  state[name] = value;
  list.scrollTop = 0;
  refresh();
  writeState(false);
}

function clearFilters() {
  for (const name of ["q", ...FILTERS]) state[name] = "";
  refresh();
  if (chosen >= 0) reveal(chosen);
  drawList();
  writeState(true);
}

function toggleTheme() {
  const root = document.documentElement;
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("hybridverify-theme", root.dataset.theme);
  } catch (error) { /* a page without storage forgets the choice */ }
  nameTheme();
}

function isDark() {
  const chosenTheme = document.documentElement.dataset.theme;
  return chosenTheme ? chosenTheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function nameTheme() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

function restoreTheme() {
  try {
    const kept = localStorage.getItem("hybridverify-theme");
    if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
  } catch (error) { /* as above */ }
  nameTheme();
}

const KEYS = {
  j: () => choose(chosen + 1, false),
  k: () => choose(chosen - 1, false),
  n: () => chooseDisagreeing(1),
  p: () => chooseDisagreeing(-1),
  m: toggleDrawn,
  c: copyLink,
  x: clearFilters,
  t: toggleTheme,
  "?": () => byId("help").showModal(),
  "/": () => byId("q").focus(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const field = event.target.closest("input, select, textarea");
  if (event.key === "Escape") {
    if (field) field.blur();
    closeDetail();
  } else if (!field && KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

function onListKey(event) {
  const perPage = Math.max(1, Math.floor(list.clientHeight / HEIGHT) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage, Home: -Infinity, End: Infinity };
  if (event.key === "Enter" && chosen >= 0) {
    event.preventDefault();
    showDetail(shown[chosen]);
    detail.focus({ preventScroll: true });
  } else if (event.key in steps) {
    event.preventDefault();
    choose(chosen + steps[event.key], false);
  }
}

function listen() {
  byId("q").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => changed("q", event.target.value.trim()), 90);
  });
  for (const name of ["sort", ...FILTERS]) byId(name).addEventListener("change", (event) => changed(name, event.target.value));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", clearFilters);
  byId("theme").addEventListener("click", toggleTheme);
  byId("help-button").addEventListener("click", KEYS["?"]);
  list.addEventListener("scroll", drawList, { passive: true });
  list.addEventListener("keydown", onListKey);
  document.addEventListener("keydown", onKey);
  addEventListener("resize", drawList);
  addEventListener("hashchange", () => {
    if (!isState()) return;
    showState();
    if (!state.row) byId("rows").scrollIntoView();
  });
}

restoreTheme();
byId("filters").hidden = false;
browser.hidden = false;
fillFilters();
showRates();
listen();
if (isState()) showState();
else refresh();
performance.mark("usable");
addEventListener("load", drawDetail); // KaTeX, which comes last, is there now
if (isState() && location.hash.length > 1) {
  // a link to rows shows them, not the figures; what is laid out until the page has loaded may move them
  const show = () => byId("rows").scrollIntoView();
  show();
  addEventListener("load", show, { once: true });
}
