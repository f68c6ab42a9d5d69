function entryOutcome({ steps }) {
  const outcomes = new Set(steps.map(({ outcome }) => outcome));
  if (outcomes.has("unknown") || outcomes.size === 0) return "unknown";
  if (outcomes.size > 1) return "partly";
  return outcomes.has("done") ? "done" : "failed";
}
function recordKey({ kind, action, id, name, pair }, step, ids) {
  const known = idAfter({ action, id }, step);
  return latestKey(`${kind}:${pair !== void 0 || known === null ? name : known}`, ids);
}
function idAfter({ id, action }, step) {
  return action === "create" ? step.id ?? id : id;
}
function latestKey(key, ids) {
  const at = key.indexOf(":") + 1;
  const id = key.slice(at);
  return `${key.slice(0, at)}${ids.get(id) ?? id}`;
}
function changedKeys({ steps }, ids) {
  const changed = steps.filter(({ outcome }) => outcome !== "failed").flatMap((step) => step.records.filter(({ action }) => action !== "keep").map((one) => recordKey(one, step, ids)));
  return new Set(changed);
}
function undoneBy(entries) {
  const undone = /* @__PURE__ */ new Map();
  const ids = successors(entries);
  const byNumber = new Map(entries.map((entry) => [entry.n, entry]));
  for (const entry of [...entries].sort((a, b) => b.n - a.n)) {
    const { n, undoes, part } = entry;
    const own = undone.get(n);
    if (undoes === null || own?.isWhole || entryOutcome(entry) !== "done") continue;
    const target = byNumber.get(undoes);
    const all = target ? changedKeys(target, ids) : /* @__PURE__ */ new Set();
    const taken = (part?.map((key) => latestKey(key, ids)) ?? [...all]).filter((key) => !own?.keys.has(key));
    const { by = n, keys: others = [] } = undone.get(undoes) ?? {};
    const keys = /* @__PURE__ */ new Set([...others, ...taken]);
    const isWhole = part === void 0 && own === void 0 || [...all].every((key) => keys.has(key));
    undone.set(undoes, { by, keys, isWhole });
  }
  return undone;
}
function successors(entries) {
  const renamed = entries.flatMap(({ steps }) => steps).flatMap(({ id, records: [record] }) => record?.formerId && id ? [[record.formerId, id]] : []);
  const next = new Map(renamed);
  const last = (id) => {
    const passed = /* @__PURE__ */ new Set();
    let at = id;
    for (let later = next.get(at); later !== void 0 && !passed.has(at); later = next.get(at)) {
      passed.add(at);
      at = later;
    }
    return at;
  };
  return new Map(renamed.map(([former, id]) => [former, last(id)]));
}
export {
  changedKeys,
  entryOutcome,
  idAfter,
  recordKey,
  successors,
  undoneBy
};
