// The trips of a scripted vehicle for reports: runs of rows with the engine on.
import type { HarshEventType, Position, SnapshotRow, TripTruth } from '../telemetry/telemetry.js';

interface Run {
  readonly rows: SnapshotRow[];
  position: Position;
}

function positionOf(row: SnapshotRow): Position | null {
  const { gps } = row;
  // A script may leave out any member, which the type of generated rows does not show.
  if (gps === null || gps.state === false || gps.latitude == null || gps.longitude == null) return null;
  return { latitude: gps.latitude, longitude: gps.longitude };
}

function tripOf({ rows, position }: Run, first: SnapshotRow, last: SnapshotRow): TripTruth {
  const harshEvents: { [Type in HarshEventType]?: number } = {};
  let idleMs = 0;
  let topSpeedKmh = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1] ?? last;
    const speed = row.gps?.speed ?? 0;
    if (speed === 0) idleMs += next.timestamp - row.timestamp;
    topSpeedKmh = Math.max(topSpeedKmh, speed);
    const type = row.driverBehaviour?.driverBehaviourType;
    if (type != null) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  }
  return {
    vehicleId: first.vehicleId,
    start: first.timestamp,
    end: last.timestamp,
    distanceKm: last.odometerKm - first.odometerKm,
    fuelLitres: 0,
    idleMs,
    topSpeedKmh,
    harshEvents,
    startPosition: positionOf(first) ?? position,
    endPosition: positionOf(last) ?? position,
    startOdometerKm: first.odometerKm,
    endOdometerKm: last.odometerKm,
  };
}

/** The trips of these rows in the order of time. A trip that has not ended yet ends at its last row. */
export function tripsOfRows(rows: readonly SnapshotRow[]): readonly TripTruth[] {
  const trips: TripTruth[] = [];
  let run: Run | null = null;
  let position: Position = { latitude: 0, longitude: 0 };
  const finish = (last: SnapshotRow): void => {
    const first = run?.rows[0];
    if (run !== null && first !== undefined) trips.push(tripOf(run, first, last));
    run = null;
  };
  for (const row of [...rows].sort((a, b) => a.timestamp - b.timestamp)) {
    position = positionOf(row) ?? position;
    const isOn = row.ignition?.engineStatus ?? null;
    if (isOn === false) finish(row);
    else if (isOn === true || run !== null) {
      run ??= { rows: [], position };
      run.rows.push(row);
    }
  }
  const open: Run | null = run;
  const last = (open as Run | null)?.rows.at(-1);
  if (last !== undefined) finish(last);
  return trips;
}
