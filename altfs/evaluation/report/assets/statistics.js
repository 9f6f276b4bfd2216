// What the interactive figures show of chosen feature sets: the page's own copy of what
// quantiles(), run_statistics() and normalised() compute in Python, so that a filter
// can be answered without a server. A test in a browser compares the two.

const settings = study.settings;
const ranked = settings.aggregation.map((name) => name === "none");
const drawn = settings.search.map((name) => study.random.includes(name));
/** Random sets are a floor: where searches are put together they do not count, unless there is no other search. */
const sought = drawn.map((own) => !own || drawn.every(Boolean));

/** What a figure shows where nothing is chosen: MI if it was used, and the longest sequential search. */
const focus = (() => {
  const own = settings.search.map((_, i) => i).filter((i) => ranked[i] && sought[i]);
  const selectors = distinct(own.map((i) => settings.selector[i]));
  const searches = distinct(own.map((i) => settings.search[i]));
  return {
    selector: selectors.includes("mutual_information") ? "mutual_information" : selectors[0],
    search: searches.includes("sequential") ? "sequential" : searches.sort()[0],
  };
})();

/** Of how many alternatives runs are compared: those of the searches without ranks. */
const joint = distinct(settings.n_alternatives.filter((_, i) => !ranked[i])).sort((a, b) => a - b);

/** The numbers of alternatives that a run of each setting stands for, as cut_to_the_same_number() in Python has them. */
const numbersOf = settings.n_alternatives.map((own, setting) => {
  if (!ranked[setting]) return [own];
  // Each search by itself: one that asked for few alternatives is no shorter run of another.
  const asked = distinct(settings.n_alternatives.filter((_, i) =>
    ranked[i] && settings.search[i] === settings.search[setting])).sort((a, b) => a - b);
  const upTo = Array.from({ length: Math.max(...settings.n_alternatives) }, (_, i) => i + 1);
  const numbers = distinct([...(joint.length ? joint : upTo), ...asked]);
  return numbers.filter((number) => asked.find((a) => a >= number) === own);
});

/** For each number of alternatives that a run stands for, its end. */
function endsOf(start, setting) {
  return numbersOf[setting].map((number) => [number, start + number + 1]);
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
    // MCC and R² have no common scale: nothing is put together over classification and regression.
    const kind = study.kinds[dataset] ?? "";
    if (kind) panel = `${kind}: ${panel}`;
    const key = `${panel}\u0001${x}\u0001${group}`;
    let found = this.groups.get(key);
    if (!found) this.groups.set(key, (found = { kind, panel, x, group, values: [], datasets: new Set() }));
    found.values.push(value);
    found.datasets.add(dataset);
  }

  rows() {
    return [...this.groups.values()].map(({ kind, panel, x, group, values, datasets }) => {
      const sorted = Float64Array.from(values).sort();
      const [low, q1, median, q3, high] = [0.05, 0.25, 0.5, 0.75, 0.95].map((q) => quantile(sorted, q));
      const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
      return { kind, panel, x, group, low, q1, median, q3, high, mean, sets: sorted.length, datasets: datasets.size };
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
