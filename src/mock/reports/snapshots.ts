// Reports that walk through snapshots: what happened, where and for how long.
import type { VehicleRecord } from '../store/records.js';
import type { SnapshotRow } from '../telemetry/telemetry.js';
import { contains } from '../world/geojson.js';
import {
  type Column,
  column,
  iso,
  type Report,
  type ReportRow,
  type ReportRun,
  round,
  snapshots,
  vehicleCells,
  vehicleColumns,
} from './report.js';

const at = column('timestamp', 'Time');
const place: readonly Column[] = [column('latitude', 'Latitude'), column('longitude', 'Longitude')];
const span: readonly Column[] = [column('start', 'Start'), column('end', 'End'), column('minutes', 'Minutes', 'min')];

const position = (row: SnapshotRow): ReportRow => ({
  latitude: row.gps?.latitude ?? null,
  longitude: row.gps?.longitude ?? null,
});

type Rows = (vehicle: VehicleRecord, rows: readonly SnapshotRow[], run: ReportRun) => Iterable<ReportRow>;

function report(id: string, title: string, description: string, columns: readonly Column[], rowsOf: Rows): Report {
  return {
    id,
    title,
    description,
    parameters: ['period', 'vehicleIds'],
    mostVehicleDays: 1000,
    columns: [...vehicleColumns, ...columns],
    rows: function* (run) {
      for (const vehicle of run.vehicles) {
        for (const row of rowsOf(vehicle, snapshots(vehicle, run), run)) yield { ...vehicleCells(vehicle), ...row };
      }
    },
  };
}

/** Runs of rows for which something holds, each at least so long. */
function* spans(
  rows: readonly SnapshotRow[],
  holds: (row: SnapshotRow) => boolean,
  atLeastMs: number,
): Generator<{ rows: readonly SnapshotRow[]; row: ReportRow }> {
  let from = 0;
  while (from < rows.length) {
    let to = from;
    for (let next = rows[to]; next !== undefined && holds(next); next = rows[to]) to += 1;
    const [first, last] = [rows[from], rows[to] ?? rows[to - 1]];
    if (to > from && first !== undefined && last !== undefined && last.timestamp - first.timestamp >= atLeastMs) {
      const minutes = round((last.timestamp - first.timestamp) / 60_000, 1);
      yield {
        rows: rows.slice(from, to),
        row: { start: iso(first.timestamp), end: iso(last.timestamp), minutes, ...position(first) },
      };
    }
    from = to + 1;
  }
}

const isOn = (row: SnapshotRow): boolean => row.ignition?.engineStatus === true;
const speed = (row: SnapshotRow): number => row.gps?.speed ?? 0;
const minute = 60_000;
const motorwayLimit = 90;

const happened = (row: SnapshotRow): ReportRow[] =>
  row.driverBehaviour === null
    ? []
    : [
        {
          timestamp: iso(row.timestamp),
          event: row.driverBehaviour.driverBehaviourType,
          value: row.driverBehaviour.driverBehaviourValue,
          ...position(row),
        },
      ];

function ignitionChanges(rows: readonly SnapshotRow[]): ReportRow[] {
  return rows.flatMap((row, i) => {
    const before = rows[i - 1];
    if (before === undefined || isOn(before) === isOn(row)) return [];
    return [
      {
        timestamp: iso(row.timestamp),
        event: isOn(row) ? 'IGNITION_ON' : 'IGNITION_OFF',
        value: null,
        ...position(row),
      },
    ];
  });
}

function* geofenceVisits(rows: readonly SnapshotRow[], { context }: ReportRun): Generator<ReportRow> {
  for (const fence of context.fleet.geofences.values()) {
    if (!context.scope.seesGeofence(fence)) continue;
    const inside = ({ gps }: SnapshotRow): boolean =>
      gps !== null && contains(fence.geojson, gps.longitude, gps.latitude);
    for (const { row } of spans(rows, inside, 0)) yield { geofenceId: fence.id, geofence: fence.name, ...row };
  }
}

function engine(rows: readonly SnapshotRow[]): ReportRow[] {
  const buses = rows.flatMap((row) => row.canBus ?? []);
  if (buses.length === 0) return [];
  const most = (values: readonly (number | undefined)[]): number | null => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
  };
  return [
    {
      readings: buses.length,
      warnings: buses.filter((bus) => bus.checkEngineWarning === true).length,
      hottestCoolant: most(buses.map((bus) => bus.canEngineCoolantTemperature)),
      highestRpm: most(buses.map((bus) => bus.canrpm)),
      engineHours: most(buses.map((bus) => bus.canEngineHours)),
    },
  ];
}

const eventColumns = [at, column('event', 'Event'), column('value', 'Value'), ...place];

export const snapshotReports: readonly Report[] = [
  report(
    'vehicle-positions',
    'Positions',
    'Every valid position.',
    [at, ...place, column('speed', 'Speed', 'km/h')],
    (_, rows) =>
      rows
        .filter((row) => row.gps?.state === true)
        .map((row) => ({ timestamp: iso(row.timestamp), ...position(row), speed: speed(row) })),
  ),
  report(
    'vehicle-stops',
    'Stops',
    'Where vehicles stood with the engine off for five minutes or longer.',
    [...span, ...place],
    (_, rows) => [...spans(rows, (row) => !isOn(row), 5 * minute)].map(({ row }) => row),
  ),
  report(
    'vehicle-idling',
    'Idling',
    'Where vehicles stood with the engine on for a minute or longer.',
    [...span, ...place],
    (_, rows) => [...spans(rows, (row) => isOn(row) && speed(row) < 3, minute)].map(({ row }) => row),
  ),
  report(
    'vehicle-speeding',
    'Speeding',
    `Where vehicles were faster than ${motorwayLimit} km/h.`,
    [...span, ...place, column('topSpeed', 'Top speed', 'km/h')],
    (_, rows) =>
      [...spans(rows, (row) => speed(row) > motorwayLimit, 0)].map((found) => ({
        ...found.row,
        topSpeed: round(
          found.rows.reduce((top, row) => Math.max(top, speed(row)), 0),
          1,
        ),
      })),
  ),
  report('vehicle-events', 'Events', 'Ignition changes and driver behaviour, by time.', eventColumns, (_, rows) =>
    [...ignitionChanges(rows), ...rows.flatMap(happened)].sort((a, b) =>
      String(a.timestamp).localeCompare(String(b.timestamp)),
    ),
  ),
  report(
    'safety-events',
    'Safety events',
    'Harsh driving and speeding as the devices reported it.',
    eventColumns,
    (_, rows) => rows.flatMap(happened),
  ),
  report(
    'geofence-interaction',
    'Geofence visits',
    'When vehicles were inside which geofence.',
    [column('geofenceId', 'Geofence id'), column('geofence', 'Geofence'), ...span, ...place],
    (_, rows, run) => geofenceVisits(rows, run),
  ),
  report(
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
    (_, rows) => engine(rows),
  ),
];
