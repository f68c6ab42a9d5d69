import { partTables } from "./tables.js";
const DAY_MS = 864e5;
const LIMIT = 1e4;
function keptFrom(now, keepMs) {
  if (keepMs === null || now === Number.NEGATIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  return Math.floor((now - keepMs) / DAY_MS) * DAY_MS;
}
async function deleteBefore(copy, cursors, from, open) {
  if (from === Number.NEGATIVE_INFINITY) return { cursors, deleted: null };
  const before = new Date(from).toISOString();
  const beginOf = ({ kind, vehicleId }) => Math.min(from, kind === "snapshots" ? from : open[kind].get(vehicleId) ?? from);
  const moved = cursors.map(
    (cursor) => Date.parse(cursor.beginsAt) < beginOf(cursor) ? { ...cursor, beginsAt: new Date(beginOf(cursor)).toISOString() } : cursor
  );
  const changed = moved.filter((cursor, at) => cursor !== cursors[at]);
  const rows = { trips: 0, stops: 0, snapshots: 0 };
  for (const kind of ["trips", "stops", "snapshots"]) {
    if (changed.some((cursor) => cursor.kind === kind)) rows[kind] = await deleteRows(copy, kind, before);
  }
  if (changed.length > 0) await copy.apply({ steps: [], cursors: changed });
  return { cursors: moved, deleted: { before, ...rows } };
}
async function deleteRows(copy, kind, before) {
  const tables = [...partTables(kind).map(({ name }) => name), kind];
  const steps = tables.map((table) => ({ kind: "deleteBefore", table, before, limit: LIMIT }));
  let all = 0;
  for (; ; ) {
    const { deleted } = await copy.apply({ steps, cursors: [] });
    if (deleted === 0) return all;
    all += deleted;
  }
}
export {
  deleteBefore,
  keptFrom
};
