// Variants of row order and arrival.
import type { TimeSource } from '../core/clock.js';
import { hourMs } from '../core/durations.js';
import type { Telemetry, TelemetryRow, TelemetryVehicle } from '../telemetry/telemetry.js';
import type { VariantSetting } from './variant.js';

// Rows are reordered within spans of at least this length, so a year is never in memory at once.
const minSpanMs = 6 * hourMs;
const maxSpans = 2_000;

/** Returns a pseudo-random number determined by a row's time. */
function mixed(time: number): number {
  let value = (time ^ (time / 0x1_0000_0000)) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 16)) >>> 0;
}

const isLate = (row: TelemetryRow): boolean => mixed(row.timestamp) % 3 === 0;

export function withRowVariants(telemetry: Telemetry, variant: VariantSetting, clock: TimeSource): Telemetry {
  function hasArrived(row: TelemetryRow): boolean {
    const { lateRowsMs } = variant.current;
    return lateRowsMs === undefined || !isLate(row) || row.timestamp + lateRowsMs <= clock.now();
  }

  function* arrived(vehicle: TelemetryVehicle, from: number, to: number): Generator<TelemetryRow> {
    for (const row of telemetry.snapshots(vehicle, from, to)) if (hasArrived(row)) yield row;
  }

  function* reordered(
    vehicle: TelemetryVehicle,
    from: number,
    to: number,
    isShuffled: boolean,
  ): Generator<TelemetryRow> {
    const spanMs = Math.max(minSpanMs, Math.ceil((to - from) / maxSpans));
    const spans: number[] = [];
    for (let begin = Math.floor(from / spanMs) * spanMs; begin <= to; begin += spanMs) spans.push(begin);
    spans.sort((a, b) => (isShuffled ? mixed(a) - mixed(b) : b - a));
    for (const begin of spans) {
      const rows = [...arrived(vehicle, Math.max(from, begin), Math.min(to, begin + spanMs - 1))];
      yield* rows.sort((a, b) => (isShuffled ? mixed(a.timestamp) - mixed(b.timestamp) : b.timestamp - a.timestamp));
    }
  }

  return {
    snapshots(vehicle, from, to) {
      const { rows, lateRowsMs } = variant.current;
      if (rows !== undefined) return reordered(vehicle, from, to, rows === 'shuffled');
      return lateRowsMs === undefined ? telemetry.snapshots(vehicle, from, to) : arrived(vehicle, from, to);
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
      return rows === undefined && lateRowsMs === undefined ? telemetry.rowsKey(vehicle) : null;
    },
  };
}
