// What the interactive figures show of chosen feature sets: the page's own copy of what
// quantiles(), run_statistics() and normalised() compute in Python, so that a filter
// can be answered without a server. A test in a browser compares the two.

const settings = study.settings;
const ranked = settings.aggregation.map((name) => name === "none");

/** What a figure shows where nothing is chosen: MI if it was used, and the longest sequential search. */
const focus = (() => {
  const own = settings.search.map((_, i) => i).filter((i) => ranked[i]);
  const selectors = distinct(own.map((i) => settings.selector[i]));
  const searches = distinct(own.map((i) => settings.search[i]));
  return {
    selector: selectors.includes("mutual_information") ? "mutual_information" : selectors[0],
    search: searches.includes("sequential") ? "sequential" : searches.sort()[0],
  };
})();

/** The smallest number of alternatives that ranked runs were asked for and that is at least this. */
function askedFor(number) {
  const asked = settings.n_alternatives.filter((a, i) => ranked[i] && a >= number);
  return asked.length ? Math.min(...asked) : null;
}

/** Of how many alternatives runs are compared: those of the searches without ranks. */
const compared = (() => {
  const joint = distinct(settings.n_alternatives.filter((_, i) => !ranked[i])).sort((a, b) => a - b);
  const most = Math.max(...settings.n_alternatives);
  const numbers = joint.length ? joint : Array.from({ length: most }, (_, i) => i + 1);
  return numbers.map((number) => ({ number, asked: askedFor(number) }));
})();

/** Calls emit(number of alternatives, end) for the runs that a run stands for. */
function cutRun(start, end, setting, emit) {
  if (!ranked[setting]) return emit(settings.n_alternatives[setting], end);
  for (const { number, asked } of compared) {
    if (asked === settings.n_alternatives[setting]) emit(number, start + number + 1);
  }
}

/** Mean and standard deviation (of a sample); null if a value is missing. */
function moments(values, start, end) {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i];
  if (Number.isNaN(sum)) return null;
  const mean = sum / (end - start);
  let squares = 0;
  for (let i = start; i < end; i++) squares += (values[i] - mean) ** 2;
  return { mean, std: Math.sqrt(squares / (end - start - 1)) };
}

/** Values of a run divided by its largest ("max"), or between its smallest and largest ("min-max"). */
function normaliseRun(values, start, end, how) {
  const own = values.slice(start, end);
  const found = own.filter((value) => !Number.isNaN(value));
  const best = Math.max(...found), worst = Math.min(...found);
  if (how === "max") return own.map((value) => (best > 0 ? value / best : NaN));
  if (found.length < 2) return own.fill(NaN);
  return own.map((value) => (Number.isNaN(value) || best > worst ? (value - worst) / (best - worst) : 1));
}

/** A quantile of sorted values, interpolated as pandas does. */
function quantile(sorted, q) {
  const at = q * (sorted.length - 1), low = Math.floor(at), high = Math.ceil(at);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/** Groups of values by panel, x and group; the rows of a figure. */
class Groups {
  constructor() {
    this.groups = new Map();
  }

  add(panel, x, group, value, dataset) {
    if (Number.isNaN(value)) return;
    const key = `${panel}\u0001${x}\u0001${group}`;
    let found = this.groups.get(key);
    if (!found) this.groups.set(key, (found = { panel, x, group, values: [], datasets: new Set() }));
    found.values.push(value);
    found.datasets.add(dataset);
  }

  rows() {
    return [...this.groups.values()].map(({ panel, x, group, values, datasets }) => {
      const sorted = Float64Array.from(values).sort();
      const [low, q1, median, q3, high] = [0.05, 0.25, 0.5, 0.75, 0.95].map((q) => quantile(sorted, q));
      const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
      return { panel, x, group, low, q1, median, q3, high, mean, sets: sorted.length, datasets: datasets.size };
    });
  }
}

/** The rows of a figure over the chosen datasets, selector and search ("" is all of them). */
async function summarise(recipe, chosen) {
  const groups = new Groups();
  const datasets = chosen.dataset ? [chosen.dataset] : Object.keys(study.datasets);
  for (const dataset of datasets) {
    const sets = await setsOf(dataset);
    forEachRun(sets, (start, end, setting) => {
      if (chosen.selector && settings.selector[setting] !== chosen.selector) return;
      if (chosen.search && runName(setting) !== chosen.search) return;
      recipe.visit(sets, start, end, setting, chosen, (panel, x, group, value) =>
        groups.add(panel, x, group, value, dataset));
    });
  }
  return groups.rows();
}
