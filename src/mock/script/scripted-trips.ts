// Trips of a scripted vehicle for reports: consecutive rows with the engine on.
import type { HarshEventType, SimulatedPosition, TelemetryRow, TripPart, TripTruth } from '../telemetry/telemetry.js';

interface Run {
  readonly rows: TelemetryRow[];
  position: SimulatedPosition;
}

function positionOf(row: TelemetryRow): SimulatedPosition | null {
  const { gps } = row;
  // Scripts may omit any member, unlike generated rows.
  if (gps === null || gps.state === false || gps.latitude == null || gps.longitude == null) return null;
  return { latitude: gps.latitude, longitude: gps.longitude };
}

function tripOf({ rows, position }: Run, first: TelemetryRow, last: TelemetryRow): TripTruth {
  const { isContinued, ...whole } = partOf(rows, first, last);
  return {
    vehicleId: first.vehicleId,
    ...whole,
    startPosition: positionOf(first) ?? position,
    endPosition: positionOf(last) ?? position,
  };
}

/** Returns a run's part in [from, to). The distance between two rows belongs to the later one. */
function partOf(
  run: readonly TelemetryRow[],
  first: TelemetryRow,
  last: TelemetryRow,
  from = first.timestamp,
  to = last.timestamp,
): TripPart {
  const [start, end] = [Math.max(from, first.timestamp), Math.min(to, last.timestamp)];
  const harshEvents: { [Type in HarshEventType]?: number } = {};
  let idleMs = 0;
  let topSpeedKmh = 0;
  let [startKm, endKm] = [first.odometerKm, first.odometerKm];
  for (const [index, row] of run.entries()) {
    const next = run[index + 1] ?? last;
    const speed = row.gps?.speed ?? 0;
    if (speed === 0) idleMs += Math.max(0, Math.min(end, next.timestamp) - Math.max(start, row.timestamp));
    if (row.timestamp < start) startKm = row.odometerKm;
    if (row.timestamp < end) endKm = row.odometerKm;
    if (row.timestamp < start || (row.timestamp >= end && end < last.timestamp)) continue;
    topSpeedKmh = Math.max(topSpeedKmh, speed);
    const type = row.driverBehaviour?.driverBehaviourType;
    if (type != null) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  }
  if (end === last.timestamp) endKm = last.odometerKm;
  return {
    start,
    end,
    isContinued: start > first.timestamp,
    distanceKm: endKm - startKm,
    fuelLitres: 0,
    idleMs,
    topSpeedKmh,
    harshEvents,
    startOdometerKm: startKm,
    endOdometerKm: endKm,
  };
}

/** Returns the trips in time order. An unfinished trip ends at its last row. */
export function tripsOfRows(rows: readonly TelemetryRow[]): readonly TripTruth[] {
  return [...runsOf(rows)].map(([run, first, last]) => tripOf(run, first, last));
}

/** Returns the trip parts from `from` to before `to`. */
export function partsOfRows(rows: readonly TelemetryRow[], from: number, to: number): readonly TripPart[] {
  return [...runsOf(rows)].flatMap(([run, first, last]) =>
    first.timestamp < to && last.timestamp > from ? partOf(run.rows, first, last, from, to) : [],
  );
}

/** Yields each run of rows with the engine on, its first row, and the row that ends it. */
function* runsOf(
  rows: readonly TelemetryRow[],
): Generator<readonly [run: Run, first: TelemetryRow, last: TelemetryRow]> {
  let run: Run | null = null;
  let position: SimulatedPosition = { latitude: 0, longitude: 0 };
  for (const row of [...rows].sort((a, b) => a.timestamp - b.timestamp)) {
    position = positionOf(row) ?? position;
    const isOn = row.ignition?.engineStatus ?? null;
    const first: TelemetryRow | undefined = run?.rows[0];
    if (isOn === false) {
      if (run !== null && first !== undefined) yield [run, first, row];
      run = null;
    } else if (isOn === true || run !== null) {
      run ??= { rows: [], position };
      run.rows.push(row);
    }
  }
  const [first, last] = [run?.rows[0], run?.rows.at(-1)];
  if (run !== null && first !== undefined && last !== undefined) yield [run, first, last];
}
