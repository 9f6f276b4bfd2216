// The feature sets of a dataset, unpacked from the columns that packing.py wrote.

const study = JSON.parse(document.getElementById("study").textContent);
const { settings } = study;
const NONE = 65535, STEPS = 65534;

/** Columns of a dataset's feature sets; rows of a run lie together, by set_index. */
const setsOf = (dataset) => once(`unpacked:${dataset}`, async () => unpack(dataset, await bytesOf(`sets:${dataset}`)));

function unpack(dataset, bytes) {
  const { n, n_members: nMembers, ranges, features, metric } = study.datasets[dataset];
  let at = 0;
  const take = (Type, length) => {
    // A copy, because a view would have to start at a multiple of its element size.
    const column = new Type(bytes.slice(at, at + length * Type.BYTES_PER_ELEMENT).buffer);
    at += length * Type.BYTES_PER_ELEMENT;
    return column;
  };
  const setting = take(Uint16Array, n), fold = take(Uint16Array, n), status = take(Uint8Array, n);
  const size = take(Uint16Array, n), members = take(Uint16Array, nMembers);
  const owners = Int32Array.from(settings.selector, (name) => study.selectors.indexOf(name));
  const values = ranges.map(([low, high]) => Float64Array.from(take(Uint16Array, n), (code, i) => {
    const owner = owners[setting[i]], step = (high[owner] - low[owner]) / STEPS, value = low[owner] + code * step;
    return code === NONE ? NaN : Math.abs(value) < step ? 0 : value; // A stored 0 is no step.
  }));
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) start[i + 1] = start[i] + size[i];
  const [train, test, ...scores] = values;
  return { dataset, n, metric, features, setting, fold, status, members, start, train, test, scores };
}

/** Names of the features of a set. */
const featuresOf = (sets, row) => Array.from(sets.members.subarray(sets.start[row], sets.start[row + 1]), (i) => sets.features[i]);

const selectorName = (name) => study.names[name] ?? name;

/** A search, with its aggregation if it has one. */
function runName(setting) {
  const { search, aggregation } = settings;
  const name = search[setting].charAt(0).toUpperCase() + search[setting].slice(1);
  return aggregation[setting] === "none" ? name : `${name} (${aggregation[setting]})`;
}
