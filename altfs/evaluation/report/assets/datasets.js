// The view of a dataset: its facts, the feature sets of a run side by side, and all of its sets.

const FIELD_NAMES = {
  selector: ["Selector", "The method whose quality is maximised."], run: ["Search", "The search, and how a simultaneous one adds up qualities."],
  n_features: ["Size k", "Number of features of a set."], n_alternatives: ["Alternatives", "Number of alternatives of a run."],
  tau: ["Threshold τ", "Smallest allowed dissimilarity of two sets."], fold: ["Fold", "Number of the fold, from 0."],
};
const RUN_FIELDS = Object.keys(FIELD_NAMES);

/** One row per search run: its start, its end and its settings. */
function runsOf(sets) {
  const starts = [...sets.fold.keys()].filter((row) => settings.set_index[sets.setting[row]] === 0);
  const runs = starts.map((start, i) => {
    const setting = sets.setting[start], [selector, n_features, n_alternatives, tau] =
      ["selector", "n_features", "n_alternatives", "tau"].map((field) => settings[field][setting]);
    return { start, end: starts[i + 1] ?? sets.n, selector, run: runName(setting), n_features, n_alternatives, tau, fold: sets.fold[start], random: study.random.includes(settings.search[setting]) };
  });
  // Figures need the rows of all sets; their features may be missing.
  return study.features_of === "all" ? runs
    : runs.filter((run) => run.fold === study.fold && run.n_features === study.n_features);
}

/** The rows of a stored table with these values, without the columns that these fill. */
async function partOfTable(name, label, fixed, left = []) {
  const columns = await jsonOf(`table:${name}`);
  const given = Object.keys(fixed).map((field) => columns.find((column) => column.name === field));
  if (given.includes(undefined)) return [];
  const rows = given[0].values.map((_, i) => i).filter((i) => given.every((column) => String(column.values[i]) === String(fixed[column.name])));
  const kept = columns.filter((column) => !given.includes(column) && !left.includes(column.name))
    .map((column) => ({ ...column, same: false, values: rows.map((i) => column.values[i]), ends: column.ends.map((end) => rows.map((i) => end[i])) }));
  return rows.length ? [make("h3", {}, label), makeTable(label, kept)] : [];
}

/** What the tables of the study say of a dataset and a selector. */
async function aboutSelector(dataset, selector, nFeatures) {
  const place = { dataset, selector: selectorName(selector), n_features: nFeatures };
  return (await Promise.all([
    partOfTable("gaps", "Why sets are missing, of all selectors", { dataset, n_features: nFeatures }, ["target_type"]),
    partOfTable("substitutes", `What replaces what in sets of ${place.selector}, and the share of the training objective that is kept`, place, ["target_type", "weight"]),
  ])).flat();
}

/** The words and the table of selectors of the first screen, of a dataset and a size; the page's templates made them. One dataset's are in the page. */
async function answersOf(name, k) {
  const own = study.views.filter((one) => one[3] === name), view = own.find((one) => one[1] === `k = ${k}`) ?? own[0], box = make("div");
  if (view) box.innerHTML = document.querySelector(`[data-payload="${CSS.escape(`views:${name}`)}"]`) ? await textOf(`views:${name}`) : document.getElementById("views").innerHTML;
  const chosen = [...box.children].find((one) => view && one.dataset.key === view.join("|")), part = (name) => chosen.querySelector(`:scope > ${name}`);
  return chosen ? [[make("p", { class: "note" }, `All selectors at ${view[1]}, ${view[2]}:`), part(".headline")], [make("h3", {}, `Selectors at ${view[1]}`), part(".wide:not(.others)"), part(".note")]] : [[], []];
}

async function showDataset(name, address) {
  const view = document.getElementById("dataset"), sets = await setsOf(name), runs = runsOf(sets);
  const facts = study.facts.find((row) => row.dataset === name) ?? {};
  const stated = Object.entries(facts).filter(([, value]) => value !== null);
  const data = make("details", {}, make("summary", {}, `${shown(facts.rows)} rows, ${shown(facts.features)} features`), make("dl", {},
    ...stated.flatMap(([fact, value]) => [make("dt", {}, fact.replaceAll("_", " ")), make("dd", {}, String(value))])));
  const heading = make("h2", { tabindex: "-1" }, name);
  const links = make("p", {}, make("a", { href: "#figures", "data-figures": name }, "Figures of this dataset"), ". Files: ", ...(study.files[name] ?? []).flatMap(([label, path]) => [make("a", { href: path, download: "" }, label), " "]));
  const selects = Object.fromEntries(RUN_FIELDS.map((field) => [field, make("select", { name: field })]));
  const form = make("form", { class: "choice", "aria-label": "Search run" },
    ...RUN_FIELDS.map((field) => make("label", {}, `${FIELD_NAMES[field][0]} `, selects[field])));
  const answers = make("div", { id: "verdict" }), result = make("div", { id: "run", "aria-live": "polite" }), about = make("div", { id: "about" });
  let current = ""; const score = (study.views.find((one) => one[3] === name) ?? study.views[0])?.[2], isAdvised = (tau) => Math.abs(tau - parseFloat(study.advised[name])) < 0.001;
  const update = () => {
    const left = chosenOf(runs, selects, (field, values) => {
      if (typeof values[0] === "number" || field === "tau") values.sort((a, b) => a - b);
      if (field === "fold" && values.length > 1) values.unshift("");
      return values.map((value) => [value, value === "" ? "mean of all" : field === "selector" ? selectorName(value) : `${field === "tau" ? Math.floor(value * 1000 + 1e-6) / 1000 : value}${field === "tau" && isAdvised(value) ? `, keeps half of the lead in ${score}` : ""}`]);
    });
    result.replaceChildren(left.length ? describeRun(sets, left, runs) : make("p", {}, "No run of this dataset is in the page."));
    const key = `${selects.selector.value} ${selects.n_features.value}`;
    if (left.length && key !== current) {
      current = key;
      Promise.all([aboutSelector(name, left[0].selector, left[0].n_features), answersOf(name, left[0].n_features)]).then(([tables, [words, selectors]]) => current === key && [[answers, words], [about, [...selectors, ...tables]]].forEach(([part, made]) => part.replaceChildren(...made)));
    }
  };
  form.addEventListener("change", () => {
    update();
    // An address can be sent on.
    history.replaceState(null, "", `#${new URLSearchParams([["dataset", name], ...RUN_FIELDS.map((field) => [field, selects[field].value])])}`);
  });
  view.replaceChildren(
    make("p", {}, make("a", { href: "#datasets-of-study" }, "Back to all datasets")), heading, make("div", { class: "facts" }, data, links), answers, form, result, about,
    make("h3", {}, "All feature sets"), make("p", { class: "note" }, document.getElementById("sets-in-page").textContent), allSets(sets, [...runs].sort((a, b) => (selectorName(b.selector) === study.best[name]) - (selectorName(a.selector) === study.best[name]))),
  );
  // Start with the best selector, the largest k, the most alternatives and the smallest tau.
  update();
  const best = runs.find(({ selector }) => selectorName(selector) === study.best[name]);
  if (best) selects.selector.value = best.selector;
  for (const field of ["n_features", "n_alternatives", "tau", ...RUN_FIELDS.filter((one) => address.has(one))]) {
    const usual = field === "tau" ? "firstElementChild" : "lastElementChild";
    const advised = [...selects[field].children].find((one) => field === "tau" && isAdvised(one.value));
    selects[field].value = address.get(field) ?? (advised ?? selects[field][usual])?.value ?? "";
    update();
  }
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** The name, the values and the meaning of each quality of the sets: scores first. */
function qualitiesOf(sets) {
  const metric = study.metrics[sets.metric] ?? sets.metric;
  return [
    ...study.models.map((model, at) => [`Test ${metric}, ${model.replaceAll("_", " ")}`, sets.scores[at], "How well the model predicts the rows of the test part."]),
    ["Test objective", sets.test, "What the selector calls good, on the test part."],
    ["Training objective", sets.train, "What the selector calls good, on the training part."],
  ];
}

/** The sets of a run side by side: means over its folds, with the number of folds that have each feature. */
function describeRun(sets, folds, runs) {
  const [run] = folds, several = folds.length > 1;
  const ranks = Array.from({ length: run.end - run.start }, (_, i) => i);
  const rowsOf = (rank) => folds.map((fold) => fold.start + rank), members = ranks.map((rank) => rowsOf(rank).map((row) => featuresOf(sets, row)));
  const count = (rank, name) => members[rank].filter((set) => set.includes(name)).length;
  const total = (name) => ranks.reduce((sum, rank) => sum + count(rank, name), 0), exist = (rank) => members[rank].filter((set) => set.length).length;
  const names = [...new Set(members.flat(2))].sort((a, b) => count(0, b) - count(0, a) || total(b) - total(a));
  const rare = several && names.length > 12 ? names.filter((name) => total(name) === 1) : [], setting = sets.setting[run.start];
  const original = settings.aggregation[setting] === "none" && !run.random;
  const drawn = runs.filter((one) => one.random && !run.random && one.selector === run.selector && one.n_features === run.n_features && folds.some(({ fold }) => fold === one.fold)), labels = ranks.map((rank) => (rank === 0 && original ? "original" : String(rank)));
  const line = (name, cells) => make("tr", {}, make("th", { scope: "row" }, ...[name].flat()), ...cells), cell = (parts, attributes = {}) => make("td", attributes, ...[parts].flat());
  const mean = (numbers) => (numbers.length ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : NaN);
  /** The mean over folds, and below it the smallest and the largest value. */
  const quality = ([name, values]) => {
    const there = ranks.map((rank) => rowsOf(rank).map((row) => values[row]).filter((value) => !Number.isNaN(value)));
    const decimals = decimalsOf(there.flat()) === 3 ? 2 : decimalsOf(there.flat()), text = (value) => shown(value, decimals), low = Math.min(...there.flat()), high = Math.max(...there.flat());
    const mark = (kind, value) => make("i", { class: kind, title: text(value), style: `left: ${4 + 92 * (value - low) / (high - low || 1)}%` });
    const random = mean(drawn.flatMap(({ start, end }) => [...values.slice(start, end)]).filter((value) => !Number.isNaN(value)));
    return line([name, ...(Number.isNaN(random) ? [] : [make("small", {}, `random sets: ${text(random)}`)]), ...(several && low < high ? [make("small", {}, `dots: ${text(low)} to ${text(high)}`)] : [])], there.map((some) => cell([text(mean(some)), ...(several && Math.min(...some) < Math.max(...some)
      ? [make("small", {}, `${text(Math.min(...some))} to ${text(Math.max(...some))}`),
        make("span", { class: "strip" }, ...some.map((value) => mark("dot", value)), mark("mean", mean(some)))] : [])], { class: "number" })));
  };
  /** The mean change from the original set over the folds that have both. */
  const changes = ([, values]) => line("Change from the original", ranks.map((rank) => {
    const change = mean(folds.map(({ start }) => values[start + rank] - values[start]).filter((value) => !Number.isNaN(value)));
    return cell(rank ? rounded(change, 2).replace(/^(?=[\d.]*[1-9])/, "+") : "", { class: "number" });
  }));
  const common = (rank) => mean(folds.flatMap((_, at) => (members[rank][at].length && members[0][at].length
    ? [members[rank][at].filter((name) => members[0][at].includes(name)).length] : [])));
  const status = (rank) => (several ? `${exist(rank)}/${folds.length}` : study.statuses[sets.status[run.start + rank]]);
  const has = (rank, name) => {
    const n = count(rank, name), style = `--share: ${Math.round(100 * n / folds.length)}%`;
    return !n ? cell("") : cell(several ? `${n}/${folds.length}` : "●", { class: "has", style, "aria-label": several ? `${n} of ${folds.length} folds` : "yes" });
  };
  const caption = several ? `Means over ${folds.length} folds, below them the smallest and the largest value; and in how many folds a set has a feature. Differences are of unrounded values` : "Which features the sets have, and at what quality";
  const table = make("table", { class: "matrix", style: `--sets: ${ranks.length}` },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Set"), ...labels.map((label) => make("th", { scope: "col", class: "number" }, label)))),
    make("tbody", {},
      line(several ? "Exists in folds" : "Status", ranks.map((rank) => cell(status(rank), { class: "number" }))),
      ...qualitiesOf(sets).flatMap((one, at) => [quality(one), ...(original && at < study.models.length && ranks.slice(1).some(exist) ? [changes(one)] : [])]),
      ...(original ? [line("Shared with the original", ranks.map((rank) => cell(shown(common(rank), several ? 1 : 0), { class: "number" })))] : []),
      ...[...names].length ? [make("tr", {}, make("th", { scope: "col" }, "Features"), ...ranks.map(() => cell("")))] : [], ...names.filter((name) => !rare.includes(name)).map((name) => line(name, ranks.map((rank) => has(rank, name)))),
      ...(rare.length ? [line("In one fold each", ranks.map((rank) => cell(rare.filter((name) => count(rank, name)).map((name) => (/^\d+$/.test(name) ? `feature ${name}` : name)).join(", "), { class: "few" })))] : [])));
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, table);
}

/** Every set of the page, as a table that can be filtered, for example by the name of a feature. */
function allSets(sets, runs) {
  const rows = runs.flatMap((run) => Array.from({ length: run.end - run.start }, (_, i) => [run, run.start + i]));
  const column = ([heading, meaning], value, numeric = true) => ({ heading, meaning, numeric, values: rows.map(([run, row]) => value(run, row)) });
  return makeTable("All feature sets of the dataset", [
    ...RUN_FIELDS.map((field) => column(FIELD_NAMES[field], (run) => (field === "selector" ? selectorName(run[field]) : field === "tau" ? Math.floor(run.tau * 1000 + 1e-6) / 1000 : run[field]),
      field === "tau" || typeof runs[0]?.[field] === "number")),
    column(["Set", "0 is the original set, if the search has one."], (run, row) => row - run.start),
    column(["Status", "Proven best, found, proven not to exist, or unknown."], (run, row) => study.statuses[sets.status[row]], false),
    ...qualitiesOf(sets).map(([name, values, meaning]) => column([name, meaning], (run, row) => (Number.isNaN(values[row]) ? null : values[row]))),
    column(["Features", "Names of the features."], (run, row) => featuresOf(sets, row).join(", "), false),
  ]);
}
