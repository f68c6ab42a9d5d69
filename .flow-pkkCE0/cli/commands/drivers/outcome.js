import { assign, unassign } from "../../../mock/store/assignments.js";
import { timestampMs } from "../../../telemetry/timestamps.js";
function heldOf(rows) {
  return [...new Map(rows.map((row) => [row.id, row])).values()].flatMap(
    ({ id, vehicleId, driverId, startedAt, endedAt }) => {
      const start = timestampMs(startedAt);
      const pair = { vehicleId: vehicleId ?? "", driverId: driverId ?? "" };
      return start === null ? [] : [{ ...pair, id: id ?? null, start, end: timestampMs(endedAt) ?? Number.POSITIVE_INFINITY }];
    }
  );
}
function outcomeOf(held, moves) {
  const ids = new Map(held.map(({ id }, index) => [`row ${index}`, id]));
  let rows = held.map(
    ({ id: _id, start, end, ...pair }, index) => ({
      ...pair,
      id: `row ${index}`,
      start,
      end: Number.isFinite(end) ? end : null
    })
  );
  for (const [index, move] of moves.entries()) rows = [...changed(rows, changeOf(rows, move), `move ${index}`)];
  return rows.map(
    ({ id, end, ...row }) => ({
      ...row,
      id: ids.get(id) ?? null,
      end: end ?? Number.POSITIVE_INFINITY
    })
  ).sort((a, b) => a.start - b.start);
}
function changeOf(rows, move) {
  if (move.kind === "assign") return assign(rows, { ...move.pair, start: move.at, end: move.end });
  const { vehicleId, driverId } = move.pair;
  return unassign(
    rows.filter((row) => row.vehicleId === vehicleId),
    move.at,
    driverId
  );
}
function changed(rows, change, id) {
  if (change === null) return rows;
  const gone = new Set([...change.removed, ...change.resized].map((row) => row.id));
  const added = change.added.map((row, index) => ({ ...row, id: `${id}.${index}` }));
  return [...rows.filter((row) => !gone.has(row.id)), ...change.resized, ...added];
}
function requestOf(move) {
  const { pair, at } = move;
  if (move.kind === "unassign") {
    const unassignDriverInput = { ...pair, timestamp: timeOf(at) };
    return { operation: "unassignDriver", variables: { unassignDriverInput }, idempotent: false };
  }
  const times = { startTimestamp: timeOf(at), ...move.end === null ? {} : { endTimestamp: timeOf(move.end) } };
  return { operation: "assignDriver", variables: { assignDriverInput: { ...pair, ...times } }, idempotent: true };
}
function isSamePair(one, other) {
  return one.vehicleId === other.vehicleId && one.driverId === other.driverId;
}
function timeOf(moment) {
  return new Date(moment).toISOString();
}
export {
  heldOf,
  isSamePair,
  outcomeOf,
  requestOf
};
