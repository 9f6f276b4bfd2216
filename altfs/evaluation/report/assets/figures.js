// Figures: drawn by Vega when they come into view; else the page shows the drawing of figures/.

/** Runs Vega's bundle when the first figure needs it; it has 0.9 MB. */
function loadVega() {
  return once("started", async () => {
    // The page's policy knows the digest of exactly this text.
    document.head.append(make("script", {}, await textOf("vega")));
    if (!window.vegaEmbed) throw new Error("Vega could not be started.");
  });
}

// Fields of a choice, and their names for figures that cannot be split by them.
const FIELDS = { dataset: "datasets", selector: "selectors", run: "searches" };
const chosen = { dataset: "", selector: "", run: "" };
const drawingOf = (figure) => once(`drawing:${figure.id}`, () => readFigure(figure));

/** The specification of a figure, its rows, and the first value of each of its choices. */
async function readFigure(figure) {
  await loadVega();
  const specification = JSON.parse(await textOf(`figure:${figure.id}`));
  Object.assign(specification, { description: figure.dataset.seen, background: "white", $schema: undefined });
  const every = specification.params ?? [], internal = every.filter(({ name }) => !(name in FIELDS));
  const parameters = Object.fromEntries(every.filter((one) => !internal.includes(one)).map(({ name, value }) => [name, value]));
  const rows = Object.values(specification.datasets);
  const panels = internal.find(({ name }) => name === "panels")?.value ?? Infinity;
  const n = Math.ceil((specification.usermeta?.panels ?? 1) / panels);
  const pages = make("select", {});
  fillSelect(pages, Array.from({ length: n }, (_, i) => [i, `${i + 1} of ${n}`]));
  pages.onchange = () => drawFigure(figure);
  if (n > 1) figure.querySelector(".plot").before(make("label", { class: "pages" }, "Page ", pages));
  return { specification, parameters, internal, rows, values: { ...parameters }, panels, pages };
}

/** The page that a figure shows: -1, all panels, for a choice. */
function pageOf({ values, parameters, pages }) {
  return Object.keys(parameters).some((field) => values[field] !== parameters[field]) ? -1 : Number(pages.value);
}

/** The rows that a figure shows, by the same rule as its own filter. */
function shownRows(drawing, rows = drawing.rows) {
  const { parameters, values, panels } = drawing, page = pageOf(drawing);
  const chosenIn = (table) => (row) => Object.entries(values).every(([field, value]) =>
    row[field] === value || (value === "" && !table.some((other) => other[field] === parameters[field])));
  const onPage = ({ number }) => page < 0 || number === undefined || Math.floor(number / panels) === page;
  return rows.flatMap((table) => table.filter(chosenIn(table)).filter(onPage));
}

/** Sizes of panels as _charts.py has them; on a narrow page all are below one another, as task.py does for a column. */
function fitWidth(specification, drawing, narrow) {
  for (const view of specification.vconcat ?? [specification]) if (view.columns > 1) {
    const n = view.spec ? new Set(shownRows(drawing, [specification.datasets[view.data.name]]).map(({ panel }) => panel)).size : 0;
    view.columns = narrow ? 1 : !n ? view.columns : n === 3 || n > 4 ? 3 : 2;
    const [width, height] = view.columns === 3 ? [171, 115] : n === 1 && !narrow ? [540, 230] : [235, 144];
    if (n) Object.assign(view.spec, { width, height }), (view.facet.header.labelLimit = width + 40);
    else if (view.spec && specification.vconcat?.length > 1) specification.vconcat = specification.vconcat.filter((one) => one !== view);
  }
  if (narrow) Object.assign(specification.config.legend, { columns: 2, layout: { top: { direction: "vertical" } } });
}

/** Lets people drag the marks of a figure, or move them by keyboard: a view drag_NAME, the parameter NAME. */
function startMarks(live, view) {
  for (const mark of live.querySelectorAll("g[class*=' drag_']")) {
    const name = /drag_([a-z]+)/.exec(mark.getAttribute("class"))[1];
    const plot = mark.closest(".role-scope").querySelector(".background");
    const tell = (_, value) => mark.setAttribute("aria-valuenow", value);
    const put = (value) => view.signal(name, Math.round(100 * Math.min(1, Math.max(0.01, value))) / 100).runAsync();
    const facts = { tabindex: 0, role: "slider", "aria-label": `${name} sensitivity`, "aria-valuemin": 0.01, "aria-valuemax": 1 };
    for (const [key, value] of Object.entries(facts)) mark.setAttribute(key, value);
    tell(name, view.signal(name));
    view.addSignalListener(name, tell);
    mark.addEventListener("pointerdown", (event) => mark.setPointerCapture(event.pointerId));
    mark.addEventListener("pointermove", (event) => {
      const { left, width } = plot.getBoundingClientRect();
      if (mark.hasPointerCapture(event.pointerId)) put((event.clientX - left) / width);
    });
    mark.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01 }[event.key];
      if (step) { event.preventDefault(); put(view.signal(name) + step); }
    });
  }
}

const drawings = new Map();

/** Draws a figure in its present state; the promise, which ends when it is shown, is that of a drawing under way. */
function drawFigure(figure) {
  const narrow = figure.querySelector(".plot").clientWidth < 640;
  const state = JSON.stringify({ ...chosen, narrow, page: figure.querySelector(".pages select")?.value ?? "0" });
  if (figure.dataset.state !== state) drawings.set(figure, drawState(figure, state, narrow));
  return drawings.get(figure);
}

async function drawState(figure, state, narrow) {
  figure.dataset.state = state;
  const [live, still, note] = [".live", ".still", ".note"].map((part) => figure.querySelector(part));
  try {
    const drawing = await drawingOf(figure);
    if (figure.dataset.state !== state) return;
    const filters = Object.entries(chosen).filter(([, value]) => value);
    for (const [field, usual] of Object.entries(drawing.parameters)) drawing.values[field] = chosen[field] || usual;
    // Drawn anew, because Vega warns of panels that go.
    const choices = Object.entries(drawing.values).map(([name, value]) => ({ name, value }));
    const internal = drawing.internal.map((one) => (one.name === "page" ? { ...one, value: pageOf(drawing) } : one));
    const specification = structuredClone({ ...drawing.specification, params: [...choices, ...internal] });
    fitWidth(specification, drawing, narrow);
    const { view } = await window.vegaEmbed(live, specification, {
      // Expressions are interpreted, because the page's policy forbids code made from text.
      ast: true, mode: "vega-lite", renderer: "svg", actions: false,
    });
    startMarks(live, drawing.view = view);
    // Vega leaves a form for controls, of which most figures have none.
    live.querySelector("form:empty")?.remove();
    const cannot = filters.filter(([field]) => !(field in drawing.parameters)).map(([field]) => FIELDS[field]);
    const named = filters.map(([field, value]) => (field === "selector" ? selectorName(value) : value));
    note.textContent = cannot.length ? `This figure cannot be split by ${cannot.join(" or ")}; its caption says what it shows.`
      : !shownRows(drawing).length ? "No feature set of this choice has a value here."
        : named.length ? `Only ${named.join(", ")}.` : "";
    [live.hidden, still.hidden] = [!shownRows(drawing).length, true];
    figure.querySelector(".pages")?.toggleAttribute("hidden", pageOf(drawing) < 0);
    figure.dataset.drawn = state;
  } catch (error) {
    [live.hidden, still.hidden] = [true, false];
    note.textContent = "This browser cannot draw the interactive figure; this is the static one.";
    console.error(error);
  }
}

const CONTENT = {
  svg: async ({ view }) => URL.createObjectURL(new Blob([await view.toSVG()], { type: "image/svg+xml" })),
  png: ({ view }) => view.toImageURL("png", 3),
  csv: (drawing) => {
    const rows = shownRows(drawing), names = Object.keys(rows[0] ?? {});
    const cell = (value) => (/[",\n]/.test(value ?? "") ? `"${String(value).replaceAll('"', '""')}"` : value ?? "");
    const lines = [names, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.map(cell).join(","));
    return URL.createObjectURL(new Blob([lines.join("\n")], { type: "text/csv" }));
  },
};

/** Saves a figure in the state in which it is shown. */
async function saveFigure(figure, kind) {
  await drawFigure(figure);
  const named = Object.values(chosen).filter(Boolean).map((value) => `_${value}`).join("");
  make("a", { href: await CONTENT[kind](await drawingOf(figure)), download: `${figure.id}${named}.${kind}` }).click();
}

function startFigures() {
  const figures = [...document.querySelectorAll("figure[data-seen]")], visible = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) visible.delete(target); else visible.add(target) && drawFigure(target);
    }
  }, { rootMargin: "300px" });
  figures.forEach((figure) => observer.observe(figure));
  const controls = document.getElementById("choice");
  const offers = { dataset: Object.keys(study.datasets), selector: study.selectors, search: new Set(settings.search.map((_, i) => runName(i))) };
  for (const [name, values] of Object.entries(offers)) fillSelect(controls.elements[name], [["", "default"], ...[...values].map((value) => [value, selectorName(value)])]);
  controls.hidden = false;
  const choose = () => {
    const { dataset, selector, search } = controls.elements;
    Object.assign(chosen, { dataset: dataset.value, selector: selector.value, run: search.value });
    visible.forEach(drawFigure);
  };
  controls.addEventListener("change", choose);
  document.addEventListener("click", ({ target: { dataset: { figures: name } } }) => { if (name) { controls.elements.dataset.value = name; choose(); } });
  window.addEventListener("resize", () => visible.forEach(drawFigure));
  controls.addEventListener("reset", () => setTimeout(choose));
  for (const figure of figures) figure.addEventListener("click", ({ target: { dataset: { save, copy } } }) => {
    if (save) saveFigure(figure, save);
    if (copy) navigator.clipboard.writeText(figure.querySelector(".caption").textContent);
  });
}
