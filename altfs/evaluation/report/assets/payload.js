// The compressed content of the page: text in base64, inflated on first use.

const results = new Map();

/** What a function returns, computed once for each name. */
function once(name, compute) {
  if (!results.has(name)) results.set(name, compute());
  return results.get(name);
}

/** The bytes of a payload. */
function bytesOf(name) {
  return once(name, async () => {
    const text = document.querySelector(`script[data-payload="${CSS.escape(name)}"]`).textContent;
    const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    // Not new Response(stream): that would count as a connection to some policies.
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    const parts = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  });
}

const textOf = async (name) => new TextDecoder().decode(await bytesOf(name));
const jsonOf = async (name) => JSON.parse(await textOf(name));

/** An element with attributes and children; text is never read as HTML. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Options of a select, keeping what is chosen if it is still there. */
function fillSelect(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  if (options.some(([value]) => String(value) === before)) select.value = before;
}

/** Fills selects one after the other with what the rows that are left have, and returns what is chosen. "" chooses all. */
function chosenOf(rows, selects, options) {
  return Object.entries(selects).reduce((left, [field, select]) => {
    fillSelect(select, options(field, [...new Set(left.map((row) => row[field]))]));
    return left.filter((row) => select.value === "" && field === "fold" || String(row[field]) === select.value);
  }, rows);
}

/** The decimals that numbers of a column share, so that they lie below one another; null: three digits each. */
function decimalsOf(values) {
  const sizes = values.filter((value) => typeof value === "number" && value).map(Math.abs);
  const largest = Math.max(0, ...sizes);
  if (largest < 0.002 || largest >= 100 && !sizes.every(Number.isInteger)) return null;
  return largest < 0.05 ? 4 : Math.min(3, Math.max(0, ...sizes.map((size) => String(Number(size.toPrecision(3))).split(".")[1]?.length ?? 0)));
}

/** A number without a sign that it is only nearly 0. */
const rounded = (value, decimals) => shown(typeof value === "number" && decimals !== null ? Number(value.toFixed(decimals)) + 0 : value, decimals);
/** A number as tables show it. */
function shown(value, decimals = null) {
  if (value === null || Number.isNaN(value)) return "";
  if (typeof value === "string") return value;
  if (decimals >= 3 && value && Math.abs(value) < 10 ** -decimals / 2) return `${value > 0 ? "<" : ">−"}${10 ** -decimals}`;
  const few = Number.isInteger(value) || Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  const text = decimals === null ? few.toLocaleString("en", { maximumSignificantDigits: 21 }) : value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return text.replace(/^-/, "−");
}
