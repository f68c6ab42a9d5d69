import { ProtocolError } from "fleet-telematics";
import { isObject } from "fleet-telematics/kit";
import { diffRecords, idOf, isDeleted, isSame } from "./compare-records.js";
import { damagedCopy } from "./damaged-copy.js";
import { doubtOf } from "./deletion-guard.js";
import { versionSteps } from "./history.js";
import { asStored } from "./json.js";
import { MAX_KEY_LENGTH, partRows, rowKeyOf, rowOf } from "./rows.js";
import { counterTable, partTables } from "./tables.js";
async function writeRecords(target, { part, table, now, covers = () => true, allowsDeletions, history }, answer, teller) {
  const stored = await storedRecords(target, table);
  const { current, nameless } = currentRecords(part, table, now, answer.records, teller);
  const live = [...stored.values()].filter(({ record, isDeleted: isGone }) => !isGone && covers(record));
  const found = diffRecords(
    live.map(({ record }) => record),
    [...current.values()].map(({ record }) => record)
  );
  const toWrite = [...current].filter(([id, { record }]) => !isStored(stored.get(id), record));
  const missing = found.flatMap(({ type, id }) => type === "removed" && !current.has(id) ? [id] : []);
  const gap = answer.gap ?? (nameless > 0 ? `${nameless} records of the answer have no id.` : null);
  const doubt = missing.length === 0 ? null : doubtOf(missing.length, live.length, gap, allowsDeletions);
  if (doubt !== null) teller.undeleted(part, `${missing.length} of ${live.length} rows of ${table} ${doubt}`);
  else if (answer.gap !== null) teller.failed(part, null, new ProtocolError(answer.gap));
  const gone = doubt === null ? missing : [];
  const steps = [...recordSteps(table, toWrite, stored), ...counterSteps(table, current)];
  if (gone.length > 0) steps.push({ kind: "markDeleted", table, ids: gone, at: now });
  const kept = new Set(doubt === null ? [] : missing);
  const changes = found.filter(({ id }) => !kept.has(id));
  const versions = history === null ? [] : await versionSteps(target, table, history, foundRecords(table, current, stored, gone));
  const applied = steps.length + versions.length === 0 ? null : await target.apply({ steps, versions, cursors: [], changes: { table, found: changes } });
  return {
    changedAt: applied?.at ?? null,
    read: answer.records.length,
    written: toWrite.length + gone.length,
    changes
  };
}
function currentRecords(part, table, now, answered, teller) {
  const current = /* @__PURE__ */ new Map();
  const remarks = teller.remarks(part);
  let nameless = 0;
  for (const one of answered) {
    const { rest, counters } = withoutCounters(table, one, remarks);
    const { record, isWhole } = asStored(rest);
    const id = idOf(record);
    if (id === null || id.length > MAX_KEY_LENGTH) {
      nameless++;
      teller.unstored(part, "noId", id);
      continue;
    }
    if (!isWhole) teller.unstored(part, "tooDeep", id);
    const known = current.get(id);
    if (known && !isSame(known.record, record)) teller.unstored(part, "sameId", id);
    const row = rowOf(table, record, { deleted_at: isDeleted(record) ? now : null }, remarks);
    current.set(id, {
      record,
      row,
      parts: partRows(table, record, remarks),
      counters
    });
  }
  return { current, nameless };
}
function withoutCounters(table, record, remarks) {
  const counters = counterTable(table);
  if (counters === void 0) return { rest: record, counters: [] };
  const { counterList } = counters;
  if (counterList === void 0) {
    const { rest, row } = withoutCountersOf(counters, record, null, remarks);
    return { rest, counters: [row] };
  }
  const list = Reflect.get(record, counterList);
  if (!Array.isArray(list)) return { rest: record, counters: [] };
  const items = list.map(
    (item) => isObject(item) ? withoutCountersOf(counters, item, record, remarks) : { rest: item, row: null }
  );
  const rows = /* @__PURE__ */ new Map();
  for (const { row } of items) {
    const key = row === null ? null : rowKeyOf(counters, row);
    if (row !== null && key !== null) rows.set(key, row);
  }
  return { rest: { ...record, [counterList]: items.map(({ rest }) => rest) }, counters: [...rows.values()] };
}
function withoutCountersOf(counters, record, parent, remarks) {
  const unread = /* @__PURE__ */ new Set();
  const noted = {
    ...remarks,
    unreadable(of, column) {
      unread.add(column.name);
      remarks.unreadable(of, column);
    }
  };
  const row = rowOf(counters.name, record, {}, noted, parent);
  const taken = counters.columns.filter(({ name }) => !counters.key.includes(name) && !unread.has(name));
  const members = new Set(taken.map(({ from }) => from));
  return { rest: Object.fromEntries(Object.entries(record).filter(([name]) => !members.has(name))), row };
}
function isStored(old, record) {
  return old !== void 0 && old.isDeleted === isDeleted(record) && isSame(old.record, record);
}
function recordSteps(table, toWrite, stored) {
  if (toWrite.length === 0) return [];
  const known = toWrite.flatMap(([id]) => stored.has(id) ? [id] : []);
  const parts = partTables(table);
  const added = new Map(parts.map(({ name }) => [name, []]));
  for (const [, record] of toWrite) {
    for (const part of record.parts) for (const row of part.rows) added.get(part.table)?.push(row);
  }
  return [
    { kind: "upsert", table, rows: toWrite.map(([, { row }]) => row) },
    ...[...added].filter(([, own]) => own.length > 0 || known.length > 0).map(([name, own]) => ({ kind: "replaceParts", table: name, rows: own, owners: known }))
  ];
}
function foundRecords(table, current, stored, gone) {
  const isGone = { rows: /* @__PURE__ */ new Map(), isNew: false, isStored: false };
  const found = new Map(gone.map((id) => [id, isGone]));
  for (const [id, { record, row, parts }] of current) {
    const old = stored.get(id);
    const rows = new Map([[table, [row]], ...parts.map((part) => [part.table, part.rows])]);
    const isNew = stored.size > 0 && (old === void 0 || old.isDeleted);
    found.set(id, isDeleted(record) ? isGone : { rows, isNew, isStored: isStored(old, record) });
  }
  return found;
}
function counterSteps(table, current) {
  const counters = counterTable(table);
  const rows = [...current.values()].flatMap(({ counters: own }) => own);
  if (counters === void 0 || current.size === 0) return [];
  if (counters.counterList !== void 0) {
    return [{ kind: "replaceParts", table: counters.name, rows, owners: [...current.keys()] }];
  }
  return [{ kind: "upsert", table: counters.name, rows }];
}
async function storedRecords(target, table) {
  const rows = await target.read(table, ["id", "record", "deleted_at"]);
  return new Map(
    rows.map(([id, record, deletedAt]) => [
      String(id),
      { record: recordOf(table, id, record), isDeleted: deletedAt !== null }
    ])
  );
}
function recordOf(table, id, cell) {
  try {
    const record = JSON.parse(String(cell));
    if (typeof record === "object" && record !== null && !Array.isArray(record)) return record;
  } catch {
  }
  throw damagedCopy(
    table,
    `the record of ${id} is no JSON object`,
    `Set the column record of this row to '{}'. The next sync then writes the row anew.`
  );
}
export {
  writeRecords
};
