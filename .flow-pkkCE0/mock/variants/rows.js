import { hourMs } from "../core/durations.js";
const minSpanMs = 6 * hourMs;
const maxSpans = 2e3;
function mixed(time) {
  let value = (time ^ time / 4294967296) >>> 0;
  value = Math.imul(value ^ value >>> 16, 73244475);
  value = Math.imul(value ^ value >>> 16, 73244475);
  return (value ^ value >>> 16) >>> 0;
}
const isLate = (row) => mixed(row.timestamp) % 3 === 0;
function withRowVariants(telemetry, variant, clock) {
  function hasArrived(row) {
    const { lateRowsMs } = variant.current;
    return lateRowsMs === void 0 || !isLate(row) || row.timestamp + lateRowsMs <= clock.now();
  }
  function* arrived(vehicle, from, to) {
    for (const row of telemetry.snapshots(vehicle, from, to)) if (hasArrived(row)) yield row;
  }
  function* reordered(vehicle, from, to, isShuffled) {
    const spanMs = Math.max(minSpanMs, Math.ceil((to - from) / maxSpans));
    const spans = [];
    for (let begin = Math.floor(from / spanMs) * spanMs; begin <= to; begin += spanMs) spans.push(begin);
    spans.sort((a, b) => isShuffled ? mixed(a) - mixed(b) : b - a);
    for (const begin of spans) {
      const rows = [...arrived(vehicle, Math.max(from, begin), Math.min(to, begin + spanMs - 1))];
      yield* rows.sort((a, b) => isShuffled ? mixed(a.timestamp) - mixed(b.timestamp) : b.timestamp - a.timestamp);
    }
  }
  return {
    snapshots(vehicle, from, to) {
      const { rows, lateRowsMs } = variant.current;
      if (rows !== void 0) return reordered(vehicle, from, to, rows === "shuffled");
      return lateRowsMs === void 0 ? telemetry.snapshots(vehicle, from, to) : arrived(vehicle, from, to);
    },
    latest(vehicle, at) {
      let row = telemetry.latest(vehicle, at);
      while (row !== null && !hasArrived(row)) row = telemetry.latest(vehicle, row.timestamp - 1);
      return row;
    },
    trips: (vehicle, from, to) => telemetry.trips(vehicle, from, to),
    tripParts: (vehicle, from, to) => telemetry.tripParts(vehicle, from, to),
    rowsKey(vehicle) {
      const { rows, lateRowsMs } = variant.current;
      return rows === void 0 && lateRowsMs === void 0 ? telemetry.rowsKey(vehicle) : null;
    }
  };
}
export {
  withRowVariants
};
