import { isSame } from "./compare-records.js";
import {
  columnIndex,
  historyTable,
  partTables,
  STAMP,
  tableOf,
  VERSION_COLUMNS
} from "./tables.js";
const { validFrom, validTo, isCurrent, isStartKnown } = VERSION_COLUMNS;
const HISTORY_AT = "history_at";
async function historyTimes(copy, isWanted, now) {
  const [[, known] = []] = await copy.read("sync_state", ["name", "value"], { name: [HISTORY_AT] });
  if (known === void 0 && !isWanted) return null;
  const last = Date.parse(String(known));
  const hasLast = !Number.isNaN(last);
  const at = new Date(hasLast ? Math.max(now, last + 1) : now).toISOString();
  await copy.note(() => [{ kind: "upsert", table: "sync_state", rows: [[HISTORY_AT, at]] }]);
  return { at, before: hasLast ? String(known) : null };
}
async function versionSteps(copy, name, times, records) {
  const history = historyTable(name);
  if (history === void 0) return [];
  const current = await copy.read(history.name, ["id"], { [isCurrent]: [true] });
  const known = new Set(current.map(([id]) => String(id)));
  const updatedAt = tableOf(name).columns.findIndex((column) => column.name === "updated_at");
  const owners = /* @__PURE__ */ new Map();
  for (const [id, { rows, isNew, isStored }] of records) {
    const [row] = rows.get(name) ?? [];
    const isKnown = known.has(id);
    if (isKnown ? isStored : row === void 0) continue;
    const hasStart = isKnown || isNew;
    owners.set(id, { rows, isStartKnown: hasStart, from: hasStart ? changeTime(row?.[updatedAt], times) : times.at });
  }
  if (owners.size === 0) return [];
  const steps = [];
  for (const table of [tableOf(name), ...partTables(name)]) {
    const rows = await versionRows(copy, table, owners);
    if (rows.length > 0) steps.push({ kind: "upsert", table: `${table.name}_history`, rows });
  }
  return steps;
}
function changeTime(updatedAt, { at, before }) {
  const isBetween = typeof updatedAt === "string" && before !== null && updatedAt > before && updatedAt < at;
  return isBetween ? updatedAt : at;
}
async function versionRows(copy, table, owners) {
  const history = historyTable(table.name);
  const [ownerColumn = "id"] = table.key;
  if (history === void 0) return [];
  const places = new Map(table.columns.map(({ name }, place) => [name, place]));
  const keyAt = table.key.map((name) => columnIndex(history, name));
  const keyOf = (row) => JSON.stringify(keyAt.map((place) => row[place]));
  const begun = /* @__PURE__ */ new Map();
  for (const { rows, from, isStartKnown: isKnown } of owners.values()) {
    const filled = {
      ...{ [validFrom]: from, [validTo]: null },
      ...{ [isCurrent]: true, [isStartKnown]: isKnown }
    };
    for (const row of rows.get(table.name) ?? []) {
      const version = history.columns.map(({ name }) => filled[name] ?? row[places.get(name) ?? -1] ?? null);
      begun.set(keyOf(version), version);
    }
  }
  const names = history.columns.map(({ name }) => name);
  const open = await copy.read(history.name, names, { [isCurrent]: [true], [ownerColumn]: [...owners.keys()] });
  const ended = open.flatMap((row) => {
    const next = begun.get(keyOf(row));
    if (next !== void 0 && isSameVersion(history, row, next)) {
      begun.delete(keyOf(row));
      return [];
    }
    const until = owners.get(String(row[columnIndex(history, ownerColumn)]))?.from ?? null;
    return [row.with(columnIndex(history, validTo), until).with(columnIndex(history, isCurrent), false)];
  });
  return [...ended, ...begun.values()];
}
const ofVersions = /* @__PURE__ */ new Set([...Object.values(VERSION_COLUMNS), STAMP]);
function isSameVersion({ columns }, one, other) {
  const valueIn = ({ type }, cell) => type === "json" && cell !== null ? JSON.parse(String(cell)) : cell;
  return columns.every(
    (column, at) => ofVersions.has(column.name) || isSame(valueIn(column, one[at]), valueIn(column, other[at]))
  );
}
export {
  historyTimes,
  versionSteps
};
