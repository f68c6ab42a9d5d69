// Reports that are computed from snapshots: what happened, where and for how long.
import { minuteMs } from '../core/durations.js';
import { containsPoint } from '../core/geojson.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { VehicleRecord } from '../store/tables.js';
import type { SnapshotRow } from '../telemetry/telemetry.js';
import {
  type Column,
  column,
  type ReportDefinition,
  type ReportRow,
  type ReportRun,
  round,
  snapshotsInPeriod,
  vehicleCells,
  vehicleColumns,
} from './report-definition.js';

const timestampColumn = column('timestamp', 'Time');
const positionColumns: readonly Column[] = [column('latitude', 'Latitude'), column('longitude', 'Longitude')];
const periodColumns: readonly Column[] = [
  column('start', 'Start'),
  column('end', 'End'),
  column('minutes', 'Minutes', 'min'),
];

const positionCells = (row: SnapshotRow): ReportRow => ({
  latitude: row.gps?.latitude ?? null,
  longitude: row.gps?.longitude ?? null,
});

type RowsForVehicle = (vehicle: VehicleRecord, rows: readonly SnapshotRow[], run: ReportRun) => Iterable<ReportRow>;

function vehicleReport(
  id: string,
  title: string,
  description: string,
  columns: readonly Column[],
  rowsForVehicle: RowsForVehicle,
): ReportDefinition {
  return {
    id,
    title,
    description,
    parameters: ['period', 'vehicleIds'],
    maxVehicleDays: 1000,
    columns: [...vehicleColumns, ...columns],
    rows: function* (run) {
      for (const vehicle of run.vehicles) {
        for (const row of rowsForVehicle(vehicle, snapshotsInPeriod(vehicle, run), run))
          yield { ...vehicleCells(vehicle), ...row };
      }
    },
  };
}

/** Consecutive rows that match, for at least the given duration. */
function* stretches(
  rows: readonly SnapshotRow[],
  matches: (row: SnapshotRow) => boolean,
  minDurationMs: number,
): Generator<{ rows: readonly SnapshotRow[]; row: ReportRow }> {
  let from = 0;
  while (from < rows.length) {
    let to = from;
    for (let next = rows[to]; next !== undefined && matches(next); next = rows[to]) to += 1;
    const [first, last] = [rows[from], rows[to] ?? rows[to - 1]];
    if (to > from && first !== undefined && last !== undefined && last.timestamp - first.timestamp >= minDurationMs) {
      const minutes = round((last.timestamp - first.timestamp) / 60_000, 1);
      yield {
        rows: rows.slice(from, to),
        row: { start: toRfc3339(first.timestamp), end: toRfc3339(last.timestamp), minutes, ...positionCells(first) },
      };
    }
    from = to + 1;
  }
}

const isEngineOn = (row: SnapshotRow): boolean => row.ignition?.engineStatus === true;
const speed = (row: SnapshotRow): number => row.gps?.speed ?? 0;
const speedingKmh = 90;

const behaviourEvents = (row: SnapshotRow): ReportRow[] =>
  row.driverBehaviour === null
    ? []
    : [
        {
          timestamp: toRfc3339(row.timestamp),
          event: row.driverBehaviour.driverBehaviourType,
          value: row.driverBehaviour.driverBehaviourValue,
          ...positionCells(row),
        },
      ];

function ignitionChanges(rows: readonly SnapshotRow[]): ReportRow[] {
  return rows.flatMap((row, i) => {
    const before = rows[i - 1];
    if (before === undefined || isEngineOn(before) === isEngineOn(row)) return [];
    return [
      {
        timestamp: toRfc3339(row.timestamp),
        event: isEngineOn(row) ? 'IGNITION_ON' : 'IGNITION_OFF',
        value: null,
        ...positionCells(row),
      },
    ];
  });
}

function* geofenceVisits(rows: readonly SnapshotRow[], { context }: ReportRun): Generator<ReportRow> {
  for (const geofence of context.fleet.geofences.values()) {
    if (!context.scope.canSeeGeofence(geofence)) continue;
    const isInside = ({ gps }: SnapshotRow): boolean =>
      gps !== null && containsPoint(geofence.geojson, gps.longitude, gps.latitude);
    for (const { row } of stretches(rows, isInside, 0))
      yield { geofenceId: geofence.id, geofence: geofence.name, ...row };
  }
}

function engineSummary(rows: readonly SnapshotRow[]): ReportRow[] {
  const buses = rows.flatMap((row) => row.canBus ?? []);
  if (buses.length === 0) return [];
  const maxOf = (values: readonly (number | undefined)[]): number | null => {
    const defined = values.filter((value) => value !== undefined);
    return defined.length === 0 ? null : defined.reduce((a, b) => Math.max(a, b));
  };
  return [
    {
      readings: buses.length,
      warnings: buses.filter((bus) => bus.checkEngineWarning === true).length,
      hottestCoolant: maxOf(buses.map((bus) => bus.canEngineCoolantTemperature)),
      highestRpm: maxOf(buses.map((bus) => bus.canrpm)),
      engineHours: maxOf(buses.map((bus) => bus.canEngineHours)),
    },
  ];
}

const eventColumns = [timestampColumn, column('event', 'Event'), column('value', 'Value'), ...positionColumns];

export const snapshotReports: readonly ReportDefinition[] = [
  vehicleReport(
    'vehicle-positions',
    'Positions',
    'Every valid position.',
    [timestampColumn, ...positionColumns, column('speed', 'Speed', 'km/h')],
    (_, rows) =>
      rows
        .filter((row) => row.gps?.state === true)
        .map((row) => ({ timestamp: toRfc3339(row.timestamp), ...positionCells(row), speed: speed(row) })),
  ),
  vehicleReport(
    'vehicle-stops',
    'Stops',
    'Where vehicles stood with the engine off for five minutes or longer.',
    [...periodColumns, ...positionColumns],
    (_, rows) => [...stretches(rows, (row) => !isEngineOn(row), 5 * minuteMs)].map(({ row }) => row),
  ),
  vehicleReport(
    'vehicle-idling',
    'Idling',
    'Where vehicles stood with the engine on for a minute or longer.',
    [...periodColumns, ...positionColumns],
    (_, rows) => [...stretches(rows, (row) => isEngineOn(row) && speed(row) < 3, minuteMs)].map(({ row }) => row),
  ),
  vehicleReport(
    'vehicle-speeding',
    'Speeding',
    `Where vehicles were faster than ${speedingKmh} km/h.`,
    [...periodColumns, ...positionColumns, column('topSpeed', 'Top speed', 'km/h')],
    (_, rows) =>
      [...stretches(rows, (row) => speed(row) > speedingKmh, 0)].map((found) => ({
        ...found.row,
        topSpeed: round(
          found.rows.reduce((top, row) => Math.max(top, speed(row)), 0),
          1,
        ),
      })),
  ),
  vehicleReport(
    'vehicle-events',
    'Events',
    'Ignition changes and driver behaviour, by time.',
    eventColumns,
    (_, rows) =>
      [...ignitionChanges(rows), ...rows.flatMap(behaviourEvents)].sort((a, b) =>
        String(a.timestamp).localeCompare(String(b.timestamp)),
      ),
  ),
  vehicleReport(
    'safety-events',
    'Safety events',
    'Harsh driving and speeding as the devices reported it.',
    eventColumns,
    (_, rows) => rows.flatMap(behaviourEvents),
  ),
  vehicleReport(
    'geofence-interaction',
    'Geofence visits',
    'When vehicles were inside which geofence.',
    [column('geofenceId', 'Geofence id'), column('geofence', 'Geofence'), ...periodColumns, ...positionColumns],
    (_, rows, run) => geofenceVisits(rows, run),
  ),
  vehicleReport(
    'engine-diagnostics',
    'Engine diagnostics',
    'What the CAN bus told of the engine.',
    [
      column('readings', 'Readings'),
      column('warnings', 'Check engine readings'),
      column('hottestCoolant', 'Hottest coolant', 'degrees C'),
      column('highestRpm', 'Highest engine speed', 'rpm'),
      column('engineHours', 'Engine hours', 'h'),
    ],
    (_, rows) => engineSummary(rows),
  ),
];
