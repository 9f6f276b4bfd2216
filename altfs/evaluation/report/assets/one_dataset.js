// Figures that need more of a dataset than the values of one group: the correlations that a
// table holds for each dataset, and the trade-off of its own runs.

const objectives = { train_objective: "Training objective", test_objective: "Test objective" };

/** A metric as the figures name it. */
function metricName(name) {
  if (Object.hasOwn(objectives, name)) return objectives[name];
  const [, model, part, metric] = name.match(/^(.*)_(train|test)_([^_]+)$/);
  return `${part === "train" ? "Training" : "Test"} ${study.metrics[metric] ?? metric}, ${inWords(model)}`;
}

/** Rows of the correlation table for a choice; none where it has no such rows. */
async function correlationsOf(chosen) {
  const columns = Object.fromEntries((await jsonOf("table:correlation")).map(({ name, values }) => [name, values]));
  const rows = columns.rho.map((rho, i) => ({
    first: metricName(columns.metric_1[i]), second: metricName(columns.metric_2[i]),
    rho, sets: columns.n[i], selector: columns.selector[i], dataset: columns.dataset[i],
  }));
  return rows.filter(({ dataset, selector }) =>
    (dataset ?? "") === chosen.dataset && (selector ?? "") === chosen.selector);
}

function drawCorrelations(rows) {
  const order = distinct(rows.map((row) => row.first));
  const encoding = {
    x: { field: "second", type: "nominal", sort: order, title: null, axis: { labelAngle: -40, grid: false } },
    y: { field: "first", type: "nominal", sort: order, title: null, axis: { labelLimit: 240, grid: false } },
    tooltip: [{ field: "first" }, { field: "second" }, { field: "rho", title: "Spearman's ρ", format: ".3f" }, { field: "sets" }],
  };
  const scale = { domain: [-1, 1], scheme: "blueorange", reverse: true };
  return {
    data: { values: rows }, width: { step: 44 }, height: { step: 24 },
    layer: [
      { mark: "rect", encoding: { ...encoding, color: { field: "rho", type: "quantitative", title: "Spearman's ρ", scale, legend: { format: ".2f" } } } },
      { transform: [{ filter: "isValid(datum.rho)" }], mark: { type: "text", fontSize: 9 }, encoding: { ...encoding, text: { field: "rho", format: ".2f" }, color: { condition: { test: "abs(datum.rho) > 0.7", value: "white" }, value: "black" } } },
    ],
  };
}

/** Mean dissimilarity of all pairs of sets of equal size. */
function meanDissimilarity(sets, start, end) {
  const members = [];
  for (let i = start; i < end; i++) members.push(sets.members.subarray(sets.start[i], sets.start[i + 1]));
  let total = 0;
  members.forEach((one, i) => {
    for (const other of members.slice(0, i)) {
      total += 1 - one.reduce((sum, feature) => sum + other.includes(feature), 0) / one.length;
    }
  });
  return total / ((members.length * (members.length - 1)) / 2);
}

/** Points that no other one beats in one coordinate without being worse in the other. */
function markFront(points) {
  for (const p of points) {
    p.front = !points.some((q) => q.dissimilarity >= p.dissimilarity && q.quality >= p.quality &&
      (q.dissimilarity > p.dissimilarity || q.quality > p.quality));
  }
}

/** The points of a dataset: means over its runs, where every fold has a whole one. */
async function tradeOffOf(chosen) {
  const sets = await setsOf(chosen.dataset);
  const best = new Map(), found = new Map();
  const caseOf = (i) => [sets.fold[i], settings.selector[sets.setting[i]], settings.n_features[sets.setting[i]]].join();
  for (let i = 0; i < sets.n; i++) {
    if (sets.train[i] > (best.get(caseOf(i)) ?? -Infinity)) best.set(caseOf(i), sets.train[i]);
  }
  // In an incomplete study, the best of what is there may be far from the best there is.
  const known = new Set();
  forEachRun(sets, (start, end, setting) => {
    if (study.with_originals.includes(settings.search[setting]) && !Number.isNaN(sets.train[start])) known.add(caseOf(start));
  });
  forEachRun(sets, (start, end, setting) => {
    const limit = best.get(caseOf(start));
    if (!(limit > 0) || (study.with_originals.length && !known.has(caseOf(start)))) return;
    for (const [number, last] of endsOf(start, setting)) {
      const whole = Array.from({ length: last - start }, (_, i) => sets.start[start + i + 1] > sets.start[start + i]);
      if (number < 1 || !whole.every(Boolean)) continue;
      const [selector, k, tau, run] = [settings.selector[setting], settings.n_features[setting], settings.tau[setting], runName(setting)];
      const key = [selector, k, tau, run, number].join();
      if (!found.has(key)) found.set(key, { selector, k, tau, run, n_alternatives: number, dissimilarity: 0, quality: 0, runs: 0 });
      const point = found.get(key);
      point.dissimilarity += meanDissimilarity(sets, start, last);
      point.quality += moments(sets.train, start, last).mean / limit;
      point.runs += 1;
    }
  });
  const points = [...found.values()].filter((point) => point.runs === study.n_folds);
  const largest = Math.max(...points.map((point) => point.k));
  const kept = points.filter((point) => point.k === largest).map((point) => ({
    ...point, panel: `${selectorName(point.selector)}, k = ${point.k}`,
    // Sums of equal numbers differ in the last digits, which must not make a front.
    dissimilarity: Math.round((1e12 * point.dissimilarity) / point.runs) / 1e12, quality: point.quality / point.runs,
  }));
  distinct(kept.map((point) => point.selector)).forEach((selector) =>
    markFront(kept.filter((point) => point.selector === selector)));
  return kept.filter((point) => (!chosen.selector || point.selector === chosen.selector) &&
    (!chosen.search || point.run === chosen.search));
}

function drawTradeOff(rows) {
  const numbers = inOrder(rows, "n_alternatives");
  const encoding = {
    x: { field: "dissimilarity", type: "quantitative", title: "Mean dissimilarity of the sets of a run", scale: { zero: false, nice: false, padding: 8 } },
    y: { field: "quality", type: "quantitative", title: "Training objective / best possible", scale: { zero: false } },
    tooltip: [{ field: "tau", title: "τ" }, { field: "run", title: "search" }, { field: "n_alternatives", title: "alternatives" },
      ...["dissimilarity", "quality"].map((field) => ({ field, type: "quantitative", format: ".4~g" }))],
  };
  const color = { field: "n_alternatives", type: "ordinal", title: "Number of alternatives", sort: numbers, scale: { scheme: "viridis", domain: numbers, reverse: true } };
  const shape = { field: "run", type: "nominal", title: "Search", sort: distinct(rows.map((row) => row.run)) };
  return inPanels(rows, {
    width: 300, height: 220,
    layer: [
      { transform: [{ filter: "datum.front" }], mark: { type: "line", color: "#555", strokeDash: [4, 3], strokeWidth: 1.2 }, encoding: { ...encoding, order: { field: "dissimilarity", type: "quantitative" } } },
      { mark: { type: "point", filled: true, size: 32, opacity: 0.9 }, encoding: { ...encoding, color, shape } },
    ],
  }, "Means over the folds; dashed: Pareto front.", true);
}

Object.assign(recipes, {
  correlation_of_metrics: {
    draw: drawCorrelations, rows: correlationsOf,
    // Classification and regression have correlations of their own, and the figure has one panel.
    serves: (chosen) => !chosen.search && (chosen.dataset || !Object.keys(study.kinds).length) &&
      document.querySelector('script[data-payload="table:correlation"]'),
  },
  quality_against_dissimilarity: {
    draw: drawTradeOff, rows: tradeOffOf,
    serves: (chosen) => chosen.dataset && study.features_of === "all",
  },
});
