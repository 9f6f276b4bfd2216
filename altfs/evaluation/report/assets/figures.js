// Figures: drawn by Vega when they come into view. Until then, in print without scripts and if
// Vega fails, the page shows the drawing of figures/.

let vega = null;

/** Runs Vega's bundle when the first figure needs it; it has 0.9 MB. */
function loadVega() {
  vega ??= textOf("vega").then((code) => {
    // The page's policy knows the digest of exactly this text.
    document.head.append(make("script", {}, code));
    if (!window.vegaEmbed) throw new Error("Vega could not be started.");
  });
  return vega;
}

// The names of the fields of a choice, for figures that cannot be split by them.
const FIELDS = { dataset: "datasets", selector: "selectors", run: "searches" };
const chosen = { dataset: "", selector: "", run: "" };

/** The parts of a view: panels, or layers. */
function partsOf(view) {
  return ["concat", "hconcat", "vconcat", "layer"].flatMap((list) => view[list] ?? []);
}

/** Tells whether a row has the wanted values; figures may name a selector in words. */
function fits(row, wanted) {
  return Object.entries(wanted).every(([field, value]) => !(field in row) || row[field] === value ||
    (field === "selector" && row[field] === selectorName(value)));
}

/** The fields with a chosen value. */
function wantedOf(choice) {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value));
}

/** The rows that Python has stored with a figure for a choice; other fields have their defaults. */
function rowsOf({ rows, default: usual }, wanted) {
  const names = Object.keys(rows);
  return rows.dataset.map((_, i) => Object.fromEntries(names.map((name) => [name, rows[name][i]])))
    .filter((row) => fits(row, { ...usual, ...wanted }));
}

/** Keeps only the wanted rows of a specification; returns the fields that it does not know. */
function splitSpecification(specification, wanted) {
  const { choices } = specification.usermeta ?? {};
  const views = choices?.length > 1 ? specification.vconcat : [specification];
  const unknown = new Set(Object.keys(wanted)), emptied = new Set();
  const namesIn = (view) => [view.data?.name, ...partsOf(view).flatMap(namesIn)].filter(Boolean);
  views.forEach((view, at) => {
    const choice = choices?.[at];
    const stored = choice && rowsOf(choice, wanted);
    for (const name of distinct(namesIn(view))) {
      const rows = specification.datasets[name];
      if (!rows.length) continue;
      const known = choice ? choice.rows : rows[0];
      for (const field of Object.keys(wanted)) if (field in known) unknown.delete(field);
      const kept = choice ? stored.filter((row) => choice.panel.every((field) => row[field] === rows[0][field]))
        : rows.filter((row) => fits(row, wanted));
      specification.datasets[name] = kept;
      if (!kept.length) emptied.add(name);
    }
  });
  // A panel without rows would be an empty frame.
  const isEmpty = (view) => {
    if (view.data) return emptied.has(view.data.name);
    for (const list of ["concat", "hconcat", "vconcat"]) {
      if (view[list]) view[list] = view[list].filter((panel) => !isEmpty(panel));
    }
    return Object.hasOwn(view, "mark") ? false : partsOf(view).every(isEmpty);
  };
  if (isEmpty(specification)) specification.datasets = null;
  return [...unknown];
}

/** Lets every plot with a quantitative axis be moved by dragging and zoomed with Ctrl and the wheel. */
function addZoom(specification) {
  let count = 0;
  const visit = (view, outer) => {
    const encoding = { ...outer, ...view.encoding };
    if (view.spec) return visit(view.spec, {});
    for (const list of ["concat", "hconcat", "vconcat"]) view[list]?.forEach((panel) => visit(panel, {}));
    // One selection is enough for the scales that layers share.
    if (view.layer) return view.layer.length && visit(view.layer[0], encoding);
    if (!view.mark) return undefined;
    const encodings = ["x", "y"].filter((axis) =>
      encoding[axis]?.type === "quantitative" && encoding[axis].field && !encoding[axis].bin);
    if (encodings.length) {
      const select = { type: "interval", encodings, zoom: "wheel![event.ctrlKey]" };
      view.params = [...(view.params ?? []), { name: `zoom_${count++}`, select, bind: "scales" }];
    }
    return undefined;
  };
  visit(specification, {});
  return specification;
}

/** Lines with at most this number of letters. */
function wrapped(lines, most) {
  const found = [];
  for (const line of [lines].flat()) {
    let last = "";
    for (const word of line.split(" ")) {
      if (last && last.length + word.length >= most) found.push(last), (last = "");
      last += (last && " ") + word;
    }
    found.push(last);
  }
  return found;
}

/** On a narrow screen: panels and legends below one another, titles in several lines. */
function fitWidth(specification) {
  if (document.documentElement.clientWidth >= 760) return specification;
  const visit = (view) => {
    if (view.concat) view.columns = 1;
    if (view.title?.text) view.title.text = wrapped(view.title.text, 44);
    if (view.title?.subtitle) view.title.subtitle = wrapped(view.title.subtitle, 60);
    for (const list of ["concat", "hconcat", "vconcat"]) view[list]?.forEach(visit);
  };
  visit(specification);
  const legend = { ...specification.config?.legend, orient: "bottom", columns: 2 };
  specification.config = { ...specification.config, legend };
  return specification;
}

/** The specification of a figure for a choice, and a note about it. */
async function specificationOf(name) {
  let text = await textOf(`figure:${name}`);
  const wanted = wantedOf(chosen);
  // Random sets have no original.
  const drawn = settings.search.some((search, i) => study.random.includes(search) && runName(i) === chosen.run);
  if (drawn) text = text.replaceAll("Number of alternative (0 = original set)", "Number of the random set");
  if (!Object.keys(wanted).length) return { specification: JSON.parse(text), note: "" };
  // Titles of panels are about all datasets.
  const specification = JSON.parse(text.replace(/ \(\d+ datasets, \d+ of them at \d+\)/g, ""));
  const unknown = splitSpecification(specification, wanted);
  const cannot = unknown.map((field) => FIELDS[field]).join(" or ");
  const note = cannot ? `This figure cannot be split by ${cannot}: it compares or joins them.` : describe(wanted);
  if (!specification.datasets) return { note: cannot ? note : "No feature set of this choice has a value here." };
  const [choice] = specification.usermeta?.choices ?? [];
  if (choice) {
    // So does the subtitle, and it names the search that is shown if none is chosen.
    const known = specification.title.subtitle.flatMap((line) => line.match(/(Box|Dashed): .*/)?.[0] ?? []);
    specification.title.subtitle = [describe({ ...choice.default, ...wanted }), ...known];
  }
  return { specification, note };
}

function describe({ dataset, selector, run }) {
  return `Only ${[dataset, selector && selectorName(selector), run].filter(Boolean).join(", ")}.`;
}

const finished = new WeakMap();

async function drawFigure(figure) {
  const state = JSON.stringify(chosen);
  if (finished.get(figure) === state) return;
  finished.set(figure, state);
  const live = figure.querySelector(".live"), still = figure.querySelector(".still");
  const note = figure.querySelector(".note");
  try {
    await loadVega();
    const found = await specificationOf(figure.id);
    // The choice may have changed since.
    if (finished.get(figure) !== state) return;
    note.textContent = found.note;
    live.hidden = !found.specification;
    still.hidden = true;
    if (!found.specification) return;
    const { specification } = found;
    specification.description = figure.dataset.caption;
    specification.background = "white";
    specification.config = { ...specification.config, mark: { tooltip: true, ...specification.config?.mark } };
    delete specification.$schema;
    delete specification.usermeta;
    await window.vegaEmbed(live, addZoom(fitWidth(specification)), {
      // Expressions are interpreted, because the page's policy forbids code made from text.
      ast: true, mode: "vega-lite", renderer: "svg", actions: false,
    });
    resize(figure);
    figure.dataset.drawn = state;
  } catch (error) {
    live.hidden = true;
    still.hidden = false;
    note.textContent = "This browser cannot draw the interactive figure; this is the static one.";
    console.error(error);
  }
}

/** Scales the drawing itself, which works by keyboard and on every kind of figure. */
function resize(figure) {
  const factor = Number(figure.dataset.factor ?? 1);
  for (const svg of figure.querySelectorAll(".plot svg")) {
    if (factor === 1) {
      svg.style.removeProperty("width");
      svg.style.removeProperty("max-width");
    } else {
      svg.style.width = `${factor * svg.viewBox.baseVal.width}px`;
      svg.style.maxWidth = "none";
    }
    svg.style.height = "auto";
  }
}

function startFigures() {
  const figures = [...document.querySelectorAll("figure[data-caption]")];
  const visible = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) visible.delete(target);
      else visible.add(target) && drawFigure(target);
    }
  }, { rootMargin: "300px" });
  figures.forEach((figure) => observer.observe(figure));
  const controls = document.getElementById("choice");
  fillSelect(controls.elements.dataset, [["", "all"], ...Object.keys(study.datasets).map((name) => [name, name])]);
  fillSelect(controls.elements.selector, [["", "all"], ...study.selectors.map((name) => [name, selectorName(name)])]);
  const runs = distinct(settings.search.map((_, i) => runName(i)));
  fillSelect(controls.elements.search, [["", "all"], ...runs.map((name) => [name, name])]);
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  const choose = () => {
    const { dataset, selector, search } = controls.elements;
    Object.assign(chosen, { dataset: dataset.value, selector: selector.value, run: search.value });
    visible.forEach(drawFigure);
  };
  controls.addEventListener("change", choose);
  controls.addEventListener("reset", () => setTimeout(choose));
  for (const figure of figures) {
    figure.addEventListener("click", ({ target }) => {
      const step = target.dataset?.zoom;
      if (!step) return;
      const before = Number(figure.dataset.factor ?? 1);
      figure.dataset.factor = step === "0" ? 1 : Math.min(4, Math.max(0.5, before * (step === "+" ? 1.25 : 0.8)));
      resize(figure);
    });
  }
}
