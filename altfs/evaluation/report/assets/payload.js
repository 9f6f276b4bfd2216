// The compressed content of the page: text in base64, inflated on first use.

const payloads = new Map();

/** The bytes of a payload; every call returns the same promise. */
function bytesOf(name) {
  if (!payloads.has(name)) payloads.set(name, inflate(name));
  return payloads.get(name);
}

async function inflate(name) {
  const text = document.querySelector(`script[data-payload="${CSS.escape(name)}"]`).textContent;
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  // Not new Response(stream): that would count as a connection to some policies.
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function textOf(name) {
  return new TextDecoder().decode(await bytesOf(name));
}

async function jsonOf(name) {
  return JSON.parse(await textOf(name));
}

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

/** A number as tables show it: three significant digits. */
function shown(value) {
  if (value === null || Number.isNaN(value)) return "";
  return Number.isInteger(value) ? String(value) : String(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)));
}
