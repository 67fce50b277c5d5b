// What is filtered, how it is sorted and which row is open: all of it stands in the address, so that it can be sent.

const FILTERS = ["outcome", "tier", "judge", "differ", "source", "length"];
const state = { q: "", sort: "", row: 0 };
for (const name of FILTERS) state[name] = "";

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of ["q", "sort", ...FILTERS]) state[name] = given.get(name) || "";
  state.row = Number.parseInt(given.get("row") || "0", 10) || 0;
}

function stateText() {
  const told = new URLSearchParams();
  for (const name of ["q", ...FILTERS, "sort"]) if (state[name]) told.set(name, state[name]);
  if (state.row) told.set("row", String(state.row));
  return told.toString();
}

// Written without a new entry in the history for each key: only a click or a link makes one.
function writeState(keep) {
  const address = `#${stateText()}`;
  if (address === location.hash || (address === "#" && !location.hash)) return;
  if (keep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// An address such as #rows or #figures names a place of the page, not a state.
function isState() {
  return location.hash === "" || location.hash.includes("=");
}
