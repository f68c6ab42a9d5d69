// Report rows computed from snapshots: events, places and durations.
import { minuteMs } from '../core/durations.js';
import { containsPoint } from '../core/geojson.js';
import { toRfc3339 } from '../core/rfc3339.js';
import { telemetryVehicleOf } from '../store/telemetry-vehicle.js';
import type { TelemetryRow } from '../telemetry/telemetry.js';
import type { Cells, ReportRun, ReportSource } from './run-report.js';
import { round, vehicleCells } from './trip-rows.js';

/** Returns a source that computes rows per vehicle from its snapshots in time order. */
function fromSnapshots(rowsOf: (snapshots: readonly TelemetryRow[], run: ReportRun) => Iterable<Cells>): ReportSource {
  return {
    inputs: ['period', 'vehicleIds'],
    maxVehicleDays: 1000,
    columns: ['vehicleId', 'vehicle'],
    *rows(run) {
      const { from, to } = run.period;
      for (const vehicle of run.vehicles) {
        const snapshots = [...run.context.telemetry.snapshots(telemetryVehicleOf(vehicle), from, to)];
        snapshots.sort((a, b) => a.timestamp - b.timestamp);
        for (const row of rowsOf(snapshots, run)) yield { ...vehicleCells(vehicle), ...row };
      }
    },
  };
}

const isEngineOn = (row: TelemetryRow): boolean => row.ignition?.engineStatus === true;
const speedOf = (row: TelemetryRow): number => row.gps?.speed ?? 0;
export const speedingKmh = 90;

const pointCells = (row: TelemetryRow): Cells => ({
  timestamp: toRfc3339(row.timestamp),
  latitude: row.gps?.latitude ?? null,
  longitude: row.gps?.longitude ?? null,
});

/** Yields runs of consecutive matching snapshots with a minimum duration. */
function* stretches(
  snapshots: readonly TelemetryRow[],
  matches: (row: TelemetryRow) => boolean,
  minDurationMs = 0,
): Generator<Cells> {
  let from = 0;
  while (from < snapshots.length) {
    let to = from;
    let topSpeed = 0;
    for (let next = snapshots[to]; next !== undefined && matches(next); next = snapshots[to]) {
      topSpeed = Math.max(topSpeed, speedOf(next));
      to += 1;
    }
    const [first, last] = [snapshots[from], snapshots[to] ?? snapshots[to - 1]];
    if (to > from && first !== undefined && last !== undefined && last.timestamp - first.timestamp >= minDurationMs)
      yield {
        ...pointCells(first),
        start: toRfc3339(first.timestamp),
        end: toRfc3339(last.timestamp),
        minutes: round((last.timestamp - first.timestamp) / minuteMs, 1),
        topSpeed: round(topSpeed, 1),
      };
    from = to + 1;
  }
}

const behaviourOf = (row: TelemetryRow): Cells[] => {
  if (row.driverBehaviour === null) return [];
  const { driverBehaviourType: event, driverBehaviourValue: value } = row.driverBehaviour;
  return [{ ...pointCells(row), event, value }];
};

const ignitionChanges = (snapshots: readonly TelemetryRow[]): Cells[] =>
  snapshots.flatMap((row, i) => {
    const before = snapshots[i - 1];
    if (before === undefined || isEngineOn(before) === isEngineOn(row)) return [];
    return [{ ...pointCells(row), event: isEngineOn(row) ? 'IGNITION_ON' : 'IGNITION_OFF', value: null }];
  });

export const positions = fromSnapshots((snapshots) =>
  snapshots.filter((row) => row.gps?.state === true).map((row) => ({ ...pointCells(row), speed: speedOf(row) })),
);

export const stops = fromSnapshots((snapshots) => stretches(snapshots, (row) => !isEngineOn(row), 5 * minuteMs));

export const idling = fromSnapshots((snapshots) =>
  stretches(snapshots, (row) => isEngineOn(row) && speedOf(row) < 3, minuteMs),
);

export const speeding = fromSnapshots((snapshots) => stretches(snapshots, (row) => speedOf(row) > speedingKmh));

export const events = fromSnapshots((snapshots) =>
  [...ignitionChanges(snapshots), ...snapshots.flatMap(behaviourOf)].sort((a, b) =>
    String(a.timestamp).localeCompare(String(b.timestamp)),
  ),
);

export const safetyEvents = fromSnapshots((snapshots) => snapshots.flatMap(behaviourOf));

export const geofenceVisits = fromSnapshots(function* (snapshots, { context }) {
  for (const geofence of context.fleet.geofences.values()) {
    if (!context.scope.canSeeGeofence(geofence)) continue;
    const isInside = ({ gps }: TelemetryRow): boolean =>
      gps !== null && containsPoint(geofence.geojson, gps.longitude, gps.latitude);
    for (const cells of stretches(snapshots, isInside))
      yield { geofenceId: geofence.id, geofence: geofence.name, ...cells };
  }
});

export const engines = fromSnapshots((snapshots) => {
  const buses = snapshots.flatMap((row) => row.canBus ?? []);
  if (buses.length === 0) return [];
  const maxOf = (key: 'canEngineCoolantTemperature' | 'canrpm' | 'canEngineHours'): number | null => {
    const values = buses.flatMap((bus) => bus[key] ?? []);
    return values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b));
  };
  return [
    {
      readings: buses.length,
      warnings: buses.filter((bus) => bus.checkEngineWarning === true).length,
      hottestCoolant: maxOf('canEngineCoolantTemperature'),
      highestRpm: maxOf('canrpm'),
      engineHours: maxOf('canEngineHours'),
    },
  ];
});
