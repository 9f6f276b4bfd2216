// Tables: sorted by any column, filtered by words, a page of rows at a time.

const ROWS_AT_A_TIME = 12;
const between = ([low, high], many) => (many ? ` [${low}, ${high}]` : ` (${low} to ${high})`);

class Table {
  /** columns: [{heading, meaning, numeric, values}]; section has the table, a filter, a count and a button for more. */
  constructor(section, columns) {
    this.columns = columns.filter(({ same }) => !same);
    this.told = columns.map(({ same, values }) => (same ? values[0] : "")).join(" ");
    this.datasets = columns.find(({ name }) => name === "n_datasets")?.values;
    this.n = columns.length ? columns[0].values.length : 0;
    const decimals = this.columns.map(({ numeric, values, ends = [] }) => (numeric ? decimalsOf([values, ...ends].flat()) : null));
    this.decimals = decimals.map((each) => (each === 4 && decimals.includes(3) ? 3 : each));
    this.order = Array.from({ length: this.n }, (_, i) => i);
    [this.body, this.count, this.more, this.filter] = ["tbody", ".count", ".more", "input"].map((part) => section.querySelector(part));
    this.filter.oninput = () => this.show(ROWS_AT_A_TIME);
    this.more.onclick = () => this.show(this.limit * 10);
    section.querySelectorAll("th button").forEach((button, at) => { button.onclick = () => this.sort(button.parentElement, at); });
    this.show(ROWS_AT_A_TIME);
  }

  sort(heading, at) {
    const up = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of heading.parentElement.children) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const { values, numeric } = this.columns[at];
    this.order.sort((i, j) => {
      const a = values[i], b = values[j];
      // Missing values come last in both directions.
      if (a === null || b === null) return (a === null) - (b === null) || i - j;
      return (up ? 1 : -1) * (numeric ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })) || i - j;
    });
    this.show(this.limit);
  }

  /** Rows in which every word of the filter occurs. */
  matching() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return this.order;
    return this.order.filter((row) => {
      const text = [this.told, ...this.columns.map(({ values }) => values[row] ?? "")].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  show(limit) {
    this.limit = limit;
    const rows = this.matching(), part = rows.slice(0, limit);
    const text = ({ values, numeric, ends }, row, decimals) => (!numeric ? values[row] ?? "" : (ends?.length ? rounded : shown)(values[row], decimals)
      + (ends?.length && ends[0][row] !== null && ends.some((end) => end[row] !== values[row]) ? between(ends.map((end) => rounded(end[row], decimals)), this.datasets?.[row] >= 6) : ""));
    this.body.replaceChildren(...part.map((row) => make("tr", {}, ...this.columns.map((column, at) =>
      make("td", { class: column.numeric ? "number" : String(column.values[row]).length > 30 ? "long" : "" }, text(column, row, this.decimals[at]))))));
    this.count.textContent = `${part.length} of ${rows.length} rows${rows.length < this.n ? ` (${this.n} in all)` : ""}`;
    this.more.hidden = part.length === rows.length;
  }
}

/** A table's section as page.py makes it, for tables that only scripts know. */
function makeTable(label, columns) {
  const n = columns[0].values.length;
  const same = n < 2 ? [] : columns.filter(({ numeric, values, ends = [] }) => (!numeric || !values[0]) && [values, ...ends].every((own) => own.every((value) => value === own[0])));
  const kept = same.length < columns.length ? columns.filter((column) => !same.includes(column)) : columns;
  const told = same.filter(({ values }) => values[0]).map(({ heading, values }) => `${heading} ${values[0]}`);
  const heads = kept.map(({ heading, meaning, numeric }) => make("th", { scope: "col", "aria-sort": "none", ...(numeric && { class: "number" }) },
    make("button", { type: "button", title: meaning }, heading)));
  const section = make("section", { class: "table", "aria-label": label },
    ...(told.length && kept !== columns ? [make("p", { class: "note" }, `In all rows: ${told.join(" · ")}`)] : []),
    make("p", { class: "controls" },
      make("label", {}, "Filter ", make("input", { type: "search", "aria-label": `Filter ${label}` })), " ",
      make("span", { class: "count", role: "status" })),
    make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Rows of ${label}` },
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody"))),
    make("button", { class: "more", type: "button" }, "Show more rows"),
    make("details", { class: "meanings" }, make("summary", {}, "What the columns mean"),
      make("dl", {}, ...kept.flatMap(({ heading, meaning }) => [make("dt", {}, heading), make("dd", {}, meaning)]))));
  new Table(section, kept);
  section.querySelector(".controls").hidden = n <= ROWS_AT_A_TIME;
  return section;
}

function startTables() {
  const observer = new IntersectionObserver(async (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const columns = await jsonOf(`table:${target.id}`);
      if (!columns.length || !columns[0].values.length) continue;
      target.querySelector(".controls").hidden = false;
      new Table(target, columns);
    }
  }, { rootMargin: "300px" });
  document.querySelectorAll("section.table").forEach((section) => observer.observe(section));
  // A link to a table may ask for some of its rows.
  document.addEventListener("click", ({ target }) => {
    const field = target.dataset.rows && document.querySelector(`${target.getAttribute("href")} input`);
    if (field) { field.value = target.dataset.rows; field.dispatchEvent(new Event("input")); }
  });
}
