import { columnIndex } from "../tables.js";
import { keyText, ownerOf } from "./pending.js";
async function* mergedRows(place, file, pending, wanted) {
  const { table } = place;
  const waiting = [...pending?.owners(place) ?? []].sort();
  const order = orderBy(table, table.period === void 0 ? table.key : [table.period.begins, ...table.key]);
  const merged = (owner, published) => {
    const deltas = pending?.deltas(place, owner) ?? [];
    return deltas.length === 0 ? published : [...rowsAfter(table, published, deltas).values()].sort(order);
  };
  if (file !== null && !pending?.isEmptied(place)) {
    for await (const [owner, rows] of byOwner(table, file, wanted)) {
      for (let next = waiting[0]; next !== void 0 && next < owner; next = waiting[0]) {
        waiting.shift();
        yield* merged(next, []);
      }
      if (waiting[0] === owner) waiting.shift();
      yield* merged(owner, rows);
    }
  }
  for (const owner of waiting) yield* merged(owner, []);
}
function rowsAfter(table, published, deltas) {
  const keyOf = keyText(table);
  const rows = new Map(published.map((row) => [keyOf(row), row]));
  for (const delta of deltas) {
    for (const key of delta.gone) rows.delete(key);
    for (const row of delta.rows) rows.set(keyOf(row), row);
  }
  return rows;
}
async function* byOwner(table, file, wanted) {
  let rows = [];
  let owner = null;
  for await (const group of file.groups(wanted)) {
    for (const row of group) {
      const own = ownerOf(table, row);
      if (own !== owner && owner !== null) {
        yield [owner, rows];
        rows = [];
      }
      owner = own;
      rows.push(row);
    }
  }
  if (owner !== null) yield [owner, rows];
}
function orderBy(table, names) {
  const places = names.map((name) => columnIndex(table, name));
  return (one, other) => {
    for (const place of places) {
      const [cell, than] = [one[place] ?? null, other[place] ?? null];
      if (cell !== than) return isLess(cell, than) ? -1 : 1;
    }
    return 0;
  };
}
function isLess(one, other) {
  return one === null || other !== null && one < other;
}
export {
  mergedRows,
  orderBy,
  rowsAfter
};
