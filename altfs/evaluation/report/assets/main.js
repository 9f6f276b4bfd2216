// Views: the study, and each dataset at #dataset=NAME, perhaps with a run.

function show() {
  const address = new URLSearchParams(location.hash.slice(1));
  const name = address.get("dataset"), isDataset = name && Object.hasOwn(study.datasets, name);
  document.getElementById("whole").hidden = Boolean(isDataset);
  document.getElementById("dataset").hidden = !isDataset;
  document.title = isDataset ? `${name} – ${study.title}` : study.title;
  if (isDataset) { showDataset(name, address); return; }
  // The element may have been hidden when the browser scrolled to it.
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let outer = place && place.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
  if (place) place.scrollIntoView();
}

document.querySelectorAll("input[data-filters]").forEach((input) => input.addEventListener("input", () =>
  document.querySelectorAll(input.dataset.filters).forEach((item) => { item.hidden = !item.textContent.toLowerCase().includes(input.value.toLowerCase()); })));
document.querySelectorAll("button[data-copies]").forEach((button) => button.addEventListener("click", () =>
  navigator.clipboard.writeText(button.previousSibling.textContent.trim())));
document.documentElement.classList.add("scripted");
// No form of the page is sent.
document.addEventListener("submit", (event) => event.preventDefault());
startOverview();
startFigures();
startTables();
window.addEventListener("hashchange", show);
show();
// The page's data, for readers and for the test that compares it with Python's.
window.altfs = { study, setsOf, featuresOf, shownRows: async (name) => shownRows(await drawingOf(document.getElementById(name))) };
