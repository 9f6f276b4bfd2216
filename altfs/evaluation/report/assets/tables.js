// Tables: sorted by any column, filtered by words, a page of rows at a time.

const ROWS_AT_A_TIME = 100;

class Table {
  /** columns: [{name, numeric, values}]; section has the table, a filter, a count and a button for more. */
  constructor(section, columns) {
    this.columns = columns.filter(({ same }) => !same);
    this.n = columns.length ? columns[0].values.length : 0;
    this.order = Array.from({ length: this.n }, (_, i) => i);
    this.limit = ROWS_AT_A_TIME;
    this.body = section.querySelector("tbody");
    this.count = section.querySelector(".count");
    this.more = section.querySelector(".more");
    this.filter = section.querySelector("input");
    this.filter.oninput = () => this.show(ROWS_AT_A_TIME);
    this.more.onclick = () => this.show(this.limit * 5);
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
      const text = this.columns.map(({ values }) => values[row] ?? "").join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  show(limit) {
    this.limit = limit;
    const rows = this.matching();
    const part = rows.slice(0, limit);
    this.body.replaceChildren(...part.map((row) => make("tr", {}, ...this.columns.map(({ values, numeric }) =>
      make("td", numeric ? { class: "number" } : {}, numeric ? shown(values[row]) : values[row] ?? "")))));
    this.count.textContent = `${part.length} of ${rows.length} rows${rows.length < this.n ? ` (${this.n} in all)` : ""}`;
    this.more.hidden = part.length === rows.length;
  }
}

/** A table's section as page.py makes it, for tables that only scripts know. */
function makeTable(label, columns) {
  const heads = columns.map(({ name }) =>
    make("th", { scope: "col", "aria-sort": "none" }, make("button", { type: "button" }, name)));
  const section = make("div", { class: "table" },
    make("p", { class: "controls" },
      make("label", {}, "Only rows with ", make("input", { type: "search", "aria-label": `Filter ${label}` })), " ",
      make("span", { class: "count", role: "status" })),
    make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Rows of ${label}` },
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody"))),
    make("button", { class: "more", type: "button" }, "Show more rows"));
  new Table(section, columns);
  section.querySelector(".controls").hidden = columns[0].values.length <= 15;
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
}
