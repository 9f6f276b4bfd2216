// How the figures that a dataset can be chosen for are drawn from its feature sets.

const BOX = "Box: quartiles and median; whiskers: 5 % to 95 %.";
const RANK = "Number of alternative (0 = original set)";
const DRAW = "Number of the random set";

/** Whether a run belongs to the one ranked search that figures by rank show. */
function isShown(setting, chosen, anySelector) {
  if (!ranked[setting]) return false;
  const selector = chosen.selector || (anySelector ? settings.selector[setting] : focus.selector);
  if (settings.selector[setting] !== selector) return false;
  if (!chosen.search && settings.search[setting] !== focus.search) return false;
  const same = settings.n_alternatives.filter((_, i) =>
    ranked[i] && settings.search[i] === settings.search[setting]);
  return settings.n_alternatives[setting] === Math.max(...same);
}

function withinRun(statistic) {
  return (sets, start, end, setting, chosen, emit) => {
    for (const [number, last] of endsOf(start, setting)) {
      const found = !joint.length || joint.includes(number) ? moments(sets.train, start, last) : null;
      if (found) emit(selectorName(settings.selector[setting]), number, runName(setting), found[statistic]);
    }
  };
}

function byRank(how) {
  return (sets, start, end, setting, chosen, emit) => {
    if (!isShown(setting, chosen, false)) return;
    const panel = `${selectorName(settings.selector[setting])}, k = ${settings.n_features[setting]}`;
    for (const [label, values] of [["Training objective", sets.train], ["Test objective", sets.test]]) {
      normaliseRun(values, start, end, how).forEach((value, rank) => emit(panel, rank, label, value));
    }
  };
}

const recipes = {
  spread_within_search: {
    draw: drawBoxes, free: true, x: "Number of alternatives", group: "Search",
    y: "Standard deviation of training objective", visit: withinRun("std"),
  },
  mean_within_search: {
    draw: drawBoxes, free: true, x: "Number of alternatives", group: "Search",
    y: "Mean of training objective", visit: withinRun("mean"),
  },
  max_normalised_by_alternative: {
    draw: drawBoxes, ranked: true, x: RANK, group: "", y: "Max-normalised objective", visit: byRank("max"),
  },
  min_max_normalised_by_alternative: {
    draw: drawBoxes, ranked: true, x: RANK, group: "", y: "Min-max-normalised objective",
    visit: byRank("min-max"),
  },
  median_by_tau: {
    draw: drawLines, ranked: true, x: RANK, group: "τ", y: "Median max-normalised objective",
    visit(sets, start, end, setting, chosen, emit) {
      const largest = settings.n_features[setting] === Math.max(...settings.n_features);
      if (!largest || !isShown(setting, chosen, false)) return;
      for (const [label, values] of [["Training objective", sets.train], ["Test objective", sets.test]]) {
        normaliseRun(values, start, end, "max").forEach((value, rank) =>
          emit(label, rank, settings.tau[setting], value));
      }
    },
  },
  objective_by_alternative: {
    draw: drawBoxes, free: true, ranked: true, x: RANK, group: "", y: "Training objective",
    visit(sets, start, end, setting, chosen, emit) {
      if (!isShown(setting, chosen, true)) return;
      const panel = `${selectorName(settings.selector[setting])}, k = ${settings.n_features[setting]}`;
      for (let i = start; i < end; i++) emit(panel, i - start, "", sets.train[i]);
    },
  },
  score_by_selector: {
    draw: drawBoxes, x: "Feature-selection method", group: "k", y: "Test score",
    visit(sets, start, end, setting, chosen, emit) {
      if (!chosen.search && !sought[setting]) return;
      study.models.forEach((model, at) => {
        const panel = `${inWords(model)}, test ${study.metrics[sets.metric] ?? sets.metric}`;
        for (let i = start; i < end; i++) {
          emit(panel, selectorName(settings.selector[setting]), settings.n_features[setting], sets.scores[at][i]);
        }
      });
    },
  },
  infeasible_by_tau: {
    draw: drawShares, ranked: true, x: RANK, group: "Dissimilarity threshold τ", y: "Share proven not to exist",
    visit(sets, start, end, setting, chosen, emit) {
      if (!isShown(setting, chosen, true)) return;
      for (let i = start; i < end; i++) {
        const infeasible = study.statuses[sets.status[i]] === "infeasible" ? 1 : 0;
        emit(`k = ${settings.n_features[setting]}`, i - start, settings.tau[setting], infeasible);
      }
    },
  },
};

/** The recipe of a figure, if the page has what it needs for a choice. */
function recipeOf(name, chosen) {
  let recipe = Object.hasOwn(recipes, name) ? recipes[name] : null;
  // Of random sets, none is the original.
  if (recipe?.x === RANK && drawn.some((own, i) => own && runName(i) === chosen.search)) recipe = { ...recipe, x: DRAW };
  if (recipe?.serves) return study.values_of === "all" && recipe.serves(chosen) ? recipe : null;
  const can = recipe && study.values_of === "all" && (!recipe.ranked || focus.search);
  return can ? recipe : null;
}

function inOrder(rows, field) {
  const values = distinct(rows.map((row) => row[field]));
  const numeric = values.every((value) => value !== "" && !Number.isNaN(Number(value)));
  return numeric ? values.sort((a, b) => a - b) : values;
}

/** Panels side by side as far as they fit; free: each has a y axis of its own, as selectors have no common scale. */
function inPanels(rows, inner, subtitle, free = false) {
  const panels = distinct(rows.map((row) => row.panel)).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const columns = document.documentElement.clientWidth < 760 ? 1 : 2;
  return {
    title: { text: subtitle, anchor: "start", fontWeight: "normal", fontSize: 12, color: "#444" },
    data: { values: rows },
    facet: { field: "panel", type: "nominal", title: null, sort: panels,
             header: { labelFontWeight: "bold", labelFontSize: 12 } },
    columns, spec: inner,
    ...(free ? { resolve: { scale: { y: "independent" } } } : {}),
  };
}

const hover = [
  { field: "sets", title: "sets or runs" }, { field: "datasets" },
  ...["median", "q1", "q3"].map((field) => ({ field, type: "quantitative", format: ".4~g" })),
];

function drawBoxes(rows, recipe) {
  const groups = inOrder(rows, "group"), xs = inOrder(rows, "x");
  const width = 320, size = Math.max(2, Math.floor((0.75 * width) / (xs.length * groups.length)));
  const x = { field: "x", type: "ordinal", sort: xs, title: recipe.x, axis: { labelAngle: typeof xs[0] === "string" ? -30 : 0 } };
  const place = { x, ...(groups.length > 1 ? { xOffset: { field: "group", sort: groups } } : {}) };
  const colour = {
    field: "group", type: "nominal", title: recipe.group || null, sort: groups,
    legend: groups.length > 1 ? {} : null, scale: { domain: groups, range: study.colours },
  };
  const y = (field) => ({ field, type: "quantitative", title: recipe.y, scale: { zero: false } });
  return inPanels(rows, {
    width, height: 200,
    layer: [
      { mark: "rule", encoding: { ...place, color: colour, y: y("low"), y2: { field: "high" }, tooltip: hover } },
      { mark: { type: "bar", size }, encoding: { ...place, color: colour, y: y("q1"), y2: { field: "q3" }, tooltip: hover } },
      { mark: { type: "tick", color: "black", thickness: 1.5, size }, encoding: { ...place, y: y("median"), tooltip: hover } },
    ],
  }, BOX, recipe.free);
}

function drawLines(rows, recipe) {
  const groups = inOrder(rows, "group");
  const most = (kind) => Math.max(...rows.filter((row) => row.kind === kind).map((row) => row.datasets));
  const all = Object.fromEntries(distinct(rows.map((row) => row.kind)).map((kind) => [kind, most(kind)]));
  const marked = rows.map((row) => ({ ...row, over: row.datasets === all[row.kind] ? "all of them" : "some datasets" }));
  const encoding = {
    x: { field: "x", type: "ordinal", title: recipe.x, axis: { labelAngle: 0 } },
    y: { field: "median", type: "quantitative", title: recipe.y, scale: { zero: false } },
    color: { field: "group", type: "ordinal", title: recipe.group, sort: groups, scale: { scheme: "viridis", domain: groups, reverse: true } },
    tooltip: [{ field: "group", title: recipe.group }, ...hover],
  };
  const shape = { field: "over", type: "nominal", title: "Median over", scale: { domain: ["all of them", "some datasets"], range: ["circle", "cross"] } };
  return inPanels(marked, {
    width: 320, height: 240,
    layer: [
      { mark: { type: "line", strokeWidth: 1.5 }, encoding },
      { mark: { type: "point", filled: true, size: 36, opacity: 1 }, encoding: { ...encoding, shape } },
    ],
  }, "The sets that exist.");
}

function drawShares(rows, recipe) {
  const taus = inOrder(rows, "group").reverse();
  const encoding = {
    x: { field: "x", type: "ordinal", title: recipe.x, axis: { labelAngle: 0, grid: false } },
    y: { field: "group", type: "ordinal", sort: taus, title: recipe.group, axis: { grid: false } },
    tooltip: [{ field: "mean", title: recipe.y, format: ".1%" }, { field: "sets" }, { field: "datasets" }],
  };
  return inPanels(rows, {
    width: { step: 34 }, height: { step: 24 },
    layer: [
      { mark: "rect", encoding: { ...encoding, color: { field: "mean", type: "quantitative", title: "Share", legend: { format: ".0%" }, scale: { domain: [0, 1], scheme: "blues" } } } },
      { mark: { type: "text", fontSize: 9 }, encoding: { ...encoding, text: { field: "mean", format: ".0%" }, color: { condition: { test: "datum.mean > 0.6", value: "white" }, value: "black" } } },
    ],
  }, recipe.y);
}
