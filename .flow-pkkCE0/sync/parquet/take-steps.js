import { columnIndex, STAMP, tableOf } from "../tables.js";
import { dayOf, isDayBefore, isWithinDays, NO_DAY } from "./layout.js";
import { mergedRows, rowsAfter } from "./merge.js";
import { keyText, ownerOf } from "./pending.js";
async function takeStep(files, pending, step) {
  const table = tableOf(step.table);
  switch (step.kind) {
    case "upsert":
      return takeGroups(files, pending, groupsOf(files, pending, table, step.rows, []));
    case "replace":
      return takeGroups(files, pending, groupsOf(files, pending, table, step.rows, step.periods));
    case "replaceParts":
      return takeGroups(files, pending, [partsOf(table, step.rows, step.owners)]);
    case "delete": {
      const place = columnIndex(table, step.column);
      const values = new Set(step.values);
      return takeEach(files, pending, table, (row) => values.has(row[place] ?? null) ? null : row);
    }
    case "deleteBefore":
      return takeOld(files, pending, table, step.before);
    case "markDeleted": {
      const [id, deletedAt, stamp] = [
        columnIndex(table, "id"),
        columnIndex(table, "deleted_at"),
        columnIndex(table, STAMP)
      ];
      const marked = (row) => row.with(deletedAt, step.at).with(stamp, step.syncedAt);
      const ids = new Set(step.ids);
      return takeEach(files, pending, table, (row) => ids.has(row[id] ?? null) ? marked(row) : row);
    }
  }
}
function groupsOf(files, pending, table, rows, periods) {
  const groups = /* @__PURE__ */ new Map();
  const groupOf = (day, owner) => {
    const group = groups.get(`${day} ${owner}`) ?? { place: { table, day }, owner, rows: [], periods: [] };
    groups.set(`${day} ${owner}`, group);
    return group;
  };
  for (const row of rows) {
    if (row.length !== table.columns.length) throw new RangeError(`A row of ${table.name} has ${row.length} cells.`);
    groupOf(dayOf(table, row), ownerOf(table, row)).rows.push(row);
  }
  if (periods.length > 0 && (table.period === void 0 || table.references === void 0))
    throw new RangeError(`The rows of ${table.name} have no period.`);
  for (const period of periods) {
    for (const day of daysIn(files, pending, table, period)) groupOf(day, period.vehicleId).periods.push(period);
  }
  return groups.values();
}
function partsOf(table, rows, owners) {
  const owner = columnIndex(table, table.references?.column ?? "");
  const replaced = new Set(owners);
  const isReplaced = (row) => replaced.has(row[owner] ?? null);
  return { place: { table, day: NO_DAY }, owner: "", rows: [...rows], periods: [], isReplaced };
}
function daysIn(files, pending, table, { vehicleId, from, until }) {
  const { begins, ends } = table.period ?? { begins: "", ends: "" };
  const published = files.days(table);
  const mayReach = (day) => {
    if (isWithinDays(day, from, until)) return true;
    const place = { table, day };
    if (begins === ends || day > until) return false;
    return pending.has(place, vehicleId) || files.mayReach(place, ends, from);
  };
  return [.../* @__PURE__ */ new Set([...published, ...pending.days(table)])].filter(mayReach);
}
async function takeGroups(files, pending, groups) {
  let [written, deleted] = [0, 0];
  for (const { place, owner, rows, periods, isReplaced = within(place.table, periods) } of groups) {
    const { table } = place;
    const [keyOf, isSame] = [keyText(table), sameIn(table)];
    const span = spanOf(table, rows, periods);
    const published = pending.isEmptied(place) ? [] : await files.rowsOf(place, owner);
    const before = rowsAfter(table, published, pending.deltas(place, owner, span));
    const newest = new Map(rows.map((row) => [keyOf(row), row]));
    const changed = [...newest].filter(([key, row]) => !isSame(before.get(key), row)).map(([, row]) => row);
    const gone = [...before].filter(([key, row]) => !newest.has(key) && isReplaced(row));
    const lost = gone.map(([, row]) => row);
    if (changed.length + gone.length > 0) {
      const delta = { rows: changed, gone: gone.map(([key]) => key) };
      pending.stage(place, owner, spanOf(table, [...changed, ...lost], []), delta);
    }
    written += changed.length;
    deleted += gone.length;
  }
  return { written, deleted };
}
async function takeOld(files, pending, table, before) {
  const { begins, ends } = table.period ?? { begins: "", ends: "" };
  const end = columnIndex(table, ends);
  const old = daysWithRows(files, pending, table).filter((day) => isDayBefore(day, before));
  if (begins !== ends) {
    const isOld = (row) => typeof row[end] === "string" && String(row[end]) < before;
    return takeEach(files, pending, table, (row) => isOld(row) ? null : row, old);
  }
  let deleted = 0;
  for (const day of old) {
    deleted += await countOf(files, pending, { table, day });
    pending.stageEmpty({ table, day });
  }
  return { written: 0, deleted };
}
function daysWithRows(files, pending, table) {
  const published = files.days(table).filter((day) => !pending.isEmptied({ table, day }));
  const waiting = pending.days(table).filter((day) => pending.owners({ table, day }).length > 0);
  return [.../* @__PURE__ */ new Set([...published, ...waiting])];
}
async function countOf(files, pending, place) {
  const file = files.open(place);
  try {
    if (file !== null && pending.owners(place).length === 0) return file.rows;
    let rows = 0;
    for await (const _ of mergedRows(place, file, pending)) rows++;
    return rows;
  } finally {
    file?.close();
  }
}
async function takeEach(files, pending, table, change, days = daysWithRows(files, pending, table)) {
  let [written, deleted] = [0, 0];
  const [keyOf, isSame] = [keyText(table), sameIn(table)];
  for (const day of days) {
    const place = { table, day };
    const found = /* @__PURE__ */ new Map();
    const file = files.open(place);
    try {
      for await (const row of mergedRows(place, file, pending)) {
        const after = change(row);
        if (after !== null && isSame(row, after)) continue;
        const owner = ownerOf(table, row);
        const own = found.get(owner) ?? { rows: [], gone: [], before: [] };
        found.set(owner, own);
        own.before.push(row);
        if (after === null) own.gone.push(keyOf(row));
        else own.rows.push(after);
      }
    } finally {
      file?.close();
    }
    for (const [owner, { rows, gone, before }] of found) {
      pending.stage(place, owner, spanOf(table, before, []), { rows, gone });
      written += rows.length;
      deleted += gone.length;
    }
  }
  return { written, deleted };
}
function spanOf(table, rows, periods) {
  const { period, key } = table;
  if (period === void 0 || period.begins !== period.ends || !key.includes(period.begins)) return null;
  const place = columnIndex(table, period.begins);
  const times = [
    ...rows.map((row) => String(row[place] ?? "")),
    ...periods.flatMap(({ from, until }) => [from, until])
  ].sort();
  return { from: times[0] ?? "", until: times.at(-1) ?? "" };
}
function within(table, periods) {
  const { period } = table;
  if (period === void 0 || periods.length === 0) return () => false;
  const [begins, ends] = [columnIndex(table, period.begins), columnIndex(table, period.ends)];
  return (row) => {
    const [begin, end] = [row[begins] ?? null, row[ends] ?? null];
    return periods.some(({ from, until }) => begin !== null && begin <= until && (end === null || end >= from));
  };
}
function sameIn({ columns }) {
  const stamp = columns.findIndex(({ name }) => name === STAMP);
  return (one, other) => one?.every((cell, at) => cell === other[at] || at === stamp) ?? false;
}
function stageRows(pending, name, rows) {
  if (rows.length > 0) pending.stage({ table: tableOf(name), day: NO_DAY }, "", null, { rows, gone: [] });
}
export {
  stageRows,
  takeStep
};
