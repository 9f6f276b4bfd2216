// Figures: drawn by Vega when they come into view; until then, in print without
// scripts and if Vega fails, the drawing that is also in figures/ stands in their place.

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

const chosen = { dataset: "", selector: "", search: "" };

/** Rows of a specification that the filter leaves, and whether it knows any of the chosen columns. */
function filterSpecification(specification) {
  const wanted = [
    ["dataset", [chosen.dataset]],
    ["selector", [chosen.selector, selectorName(chosen.selector)]],
    ["run", [chosen.search]],
  ].filter(([, values]) => values[0]);
  const unknown = new Set(wanted.map(([field]) => field));
  const emptied = new Set();
  for (const [name, rows] of Object.entries(specification.datasets ?? {})) {
    const known = wanted.filter(([field]) => rows.length && field in rows[0]);
    known.forEach(([field]) => unknown.delete(field));
    const kept = rows.filter((row) => known.every(([field, values]) => values.includes(row[field])));
    specification.datasets[name] = kept;
    if (rows.length && !kept.length) emptied.add(name);
  }
  // A panel without any row left would be an empty frame.
  const isEmpty = (panel) => emptied.has(panel.data?.name) ||
    (panel.layer?.length && !panel.data && panel.layer.every(isEmpty));
  for (const list of ["concat", "hconcat", "vconcat"]) {
    const left = specification[list]?.filter((panel) => !isEmpty(panel));
    if (left?.length) specification[list] = left;
  }
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

/** Lines of at most so many letters. */
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

/** The specification of a figure for what is chosen, and what to say about it. */
async function specificationOf(name) {
  const recipe = recipeOf(name, chosen);
  const filtered = Object.values(chosen).some((value) => value);
  if (filtered && recipe) {
    const rows = recipe.rows ? await recipe.rows(chosen) : await summarise(recipe, chosen);
    if (!rows.length) return { note: "No feature set of this choice has a value here." };
    const known = recipe.draw(rows, recipe);
    return { specification: known, note: describeChoice() };
  }
  const specification = await jsonOf(`figure:${name}`);
  if (!filtered) return { specification, note: "" };
  const unknown = filterSpecification(specification);
  const words = { dataset: "datasets", selector: "selectors", run: "searches" };
  const note = unknown.length
    ? `This figure cannot be split by ${unknown.map((field) => words[field]).join(" or ")}: it compares or joins them.`
    : describeChoice();
  return { specification, note };
}

function describeChoice() {
  const parts = [chosen.dataset, chosen.selector && selectorName(chosen.selector), chosen.search];
  return `Only ${parts.filter(Boolean).join(", ")}.`;
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
    // Somebody may have chosen something else in the meantime.
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
    for (const name of Object.keys(chosen)) chosen[name] = controls.elements[name].value;
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
