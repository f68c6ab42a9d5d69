// Finds the last position of vehicles before a time in the past. A parked vehicle may be silent for
// hours: the time before is read in steps, each for the vehicles still missing.
import type { LiveSnapshot } from '../live-status.js';
import type { Readings } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import { fixOf, type TrackSnapshot } from '../tracks/fix.js';
import { FixCleaner } from '../tracks/fix-cleaner.js';
import type { Fix } from '../tracks/position-fix.js';

const HOUR = 3_600_000;
/** The maximum age of a position, in days. */
export const LONGEST_LOOK_BACK_DAYS = 7;
const LONGEST_LOOK_BACK_MS = LONGEST_LOOK_BACK_DAYS * 24 * HOUR;
/** The steps of reading back. */
const LOOK_BACK_MS: readonly number[] = [HOUR, 6 * HOUR, 24 * HOUR, LONGEST_LOOK_BACK_MS];

/** The part of a snapshot with the position and the status of a vehicle. */
export type PositionSnapshot = TrackSnapshot & LiveSnapshot;

export const positionSelection = {
  timestamp: true,
  locationTimestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  canBus: { canSpeed: true, canWheelSpeed: true },
} as const;

export interface VehicleToLocate<Row> {
  readonly id: string;
  /** Its newest snapshot; null when missing or unknown. */
  readonly newest: Row | null;
}

export interface PastPosition<Row> {
  readonly fix: Fix;
  readonly row: Row;
}

/** Reads the snapshots of vehicles in a period, including both ends; in order for each vehicle. */
export type ReadPositions<Row> = (
  vehicleIds: readonly string[],
  from: number,
  to: number,
) => AsyncIterable<Row & { readonly vehicleId: string }>;

/**
 * Returns positions by vehicle id, without vehicles that sent none in the days before.
 * @throws {ProtocolError} when there are positions, and all are unreadable
 */
export async function pastPositions<Row extends PositionSnapshot>(
  vehicles: readonly VehicleToLocate<Row>[],
  at: number,
  read: ReadPositions<Row>,
  readings: Readings,
): Promise<ReadonlyMap<string, PastPosition<Row>>> {
  const found = new Map<string, PastPosition<Row>>();
  const longest = at - LONGEST_LOOK_BACK_MS;
  let missing: string[] = [];
  for (const { id, newest } of vehicles) {
    const time = timestampMs(newest?.timestamp);
    const fix = newest === null || time === null || time > at ? null : fixOf(newest, readings);
    // A vehicle whose newest snapshot is even older has sent nothing since.
    if (newest !== null && fix !== null && fix.time >= longest) found.set(id, { fix, row: newest });
    else if (time === null || time >= longest) missing.push(id);
  }
  let to = at;
  for (const lookBack of LOOK_BACK_MS) {
    if (missing.length === 0) break;
    const from = at - lookBack;
    const cleaners = new Map(missing.map((id) => [id, new FixCleaner()]));
    for await (const row of read(missing, from, to)) {
      const fix = fixOf(row, readings);
      if (fix === null) continue;
      for (const { fix: accepted } of cleaners.get(row.vehicleId)?.add(fix) ?? []) {
        found.set(row.vehicleId, { fix: accepted, row });
      }
    }
    // Earlier snapshots have the same form.
    readings.require('position', 'getSnapshots');
    missing = missing.filter((id) => !found.has(id));
    to = from;
  }
  return found;
}
