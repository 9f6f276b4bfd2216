// Views: the study, and each dataset at #dataset=NAME.

function show() {
  const found = location.hash.match(/^#dataset=(.+)$/);
  const name = found && decodeURIComponent(found[1]);
  const known = name && Object.hasOwn(study.datasets, name);
  document.getElementById("overview").hidden = Boolean(known);
  document.getElementById("dataset").hidden = !known;
  document.title = known ? `${name} – ${study.title}` : study.title;
  if (known) return showDataset(name);
  // The element may have been hidden when the browser scrolled to it.
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place) place.scrollIntoView();
  return undefined;
}

document.getElementById("find-dataset").addEventListener("input", ({ target }) => {
  for (const item of document.querySelectorAll("#dataset-list li")) {
    item.hidden = !item.textContent.toLowerCase().includes(target.value.toLowerCase());
  }
});
document.documentElement.classList.add("scripted");
startFigures();
startTables();
window.addEventListener("hashchange", show);
show();
// The page's data, for readers and for the test that compares it with Python's.
window.altfs = {
  study, setsOf, featuresOf,
  rowsOf: async (name, choice) =>
    (await jsonOf(`figure:${name}`)).usermeta.choices.flatMap((stored) => rowsOf(stored, wantedOf(choice))),
};
