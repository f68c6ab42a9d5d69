// Validates a vehicle's script and converts it to rows.
import { distanceKm } from '../core/great-circle.js';
import {
  anyTime,
  boolean,
  fail,
  filledText,
  list,
  number,
  object,
  objectOfKind,
  optional,
  readOneOf,
  refined,
  type ValueReader,
} from '../core/readers.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { TelemetryRow } from '../telemetry/telemetry.js';
import { contractObject } from './contract-value.js';
import { defaultOdometerKm, maxRows, type PlannedRow, rowsOfPath } from './path-rows.js';
import type { PathStep, ScriptPlace, VehicleScript } from './script-types.js';

/** A row and its arrival time at the service. */
export interface ArrivingRow {
  readonly row: TelemetryRow;
  readonly arrivesAt: number;
}

/** The installation of a device at a time. */
export interface DeviceSwap {
  readonly at: number;
  readonly serial: string;
}

export interface ReadScript {
  /** As plain data with RFC 3339 times. */
  readonly source: VehicleScript;
  readonly rows: readonly ArrivingRow[];
  readonly swaps: readonly DeviceSwap[];
}

const maxMinutes = 1_000_000;
const total = optional(number(0, 10_000_000));

const place = object({ latitude: number(-90, 90), longitude: number(-180, 180) });

const minutes = refined(number(0, maxMinutes), (value) => (value > 0 ? null : 'must be above 0'));

const stepRows = {
  everySeconds: optional(number(1, 86_400)),
  without: optional(list(readOneOf(['gps', 'ignition', 'canBus']))),
  noFix: optional(boolean),
  lateMinutes: optional(number(0, maxMinutes)),
};

const step = refined(
  objectOfKind({
    move: { to: place, minutes: optional(minutes), speedKmh: optional(number(1, 1_000)), ...stepRows },
    idle: { minutes, ...stepRows },
    stop: { minutes, ...stepRows },
    silence: { minutes, to: optional(place) },
    swapDevice: { serial: filledText, odometerKm: total },
  }),
  (read) =>
    read.kind === 'move' && (read.minutes === undefined) === (read.speedKmh === undefined)
      ? 'needs either minutes or speedKmh, not both'
      : null,
);

const steps = refined(list(step), ({ length }) => (length > 0 ? null : 'must be a list of at least one step'));

const scriptedPath = object({
  from: (value, place): string => toRfc3339(anyTime(value, place)),
  start: place,
  odometerKm: total,
  // `refined` guarantees that a move has either a duration or a speed.
  steps: steps as ValueReader<readonly PathStep[]>,
});

const groups = {
  gps: optional(contractObject('Gps')),
  canBus: optional(contractObject('CanBus')),
  driverBehaviour: optional(contractObject('DriverBehaviour')),
  temperatures: optional(contractObject('Temperatures')),
  fleetMetaSensors: optional(contractObject('FleetMetaSensors')),
  fuel: optional(contractObject('Fuel')),
  misc: optional(contractObject('Misc')),
};

const scriptedRow = object({
  at: anyTime,
  arrivesAt: optional(anyTime),
  ignition: optional(boolean),
  odometerKm: total,
  engineHours: total,
  ...groups,
});

const plannedRow: ValueReader<PlannedRow> = (value, path) => {
  const { at, arrivesAt = at, ignition, odometerKm, engineHours, ...read } = scriptedRow(value, path);
  if (arrivesAt < at) fail(`${path}.arrivesAt`, 'must not be before at');
  return { at, arrivesAt, ignition, odometerKm, engineHours, groups: read };
};

interface Totals {
  readonly at: number;
  readonly ignition: boolean;
  readonly position: ScriptPlace | null;
  readonly odometerKm: number;
  readonly engineHours: number;
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Returns the totals of every row. Missing ones are derived in time order. */
function totalsByRow(rows: readonly PlannedRow[]): ReadonlyMap<PlannedRow, Totals> {
  const totals = new Map<PlannedRow, Totals>();
  let last: Totals | null = null;
  for (const row of [...rows].sort((a, b) => a.at - b.at)) {
    const position = positionOf(row.groups.gps) ?? last?.position ?? null;
    const moved: number = last?.position && position ? distanceKm(last.position, position) : 0;
    const hours: number = last?.ignition === true ? (row.at - last.at) / 3_600_000 : 0;
    const next: Totals = {
      at: row.at,
      ignition: row.ignition ?? last?.ignition ?? false,
      position,
      odometerKm: row.odometerKm ?? (last?.odometerKm ?? defaultOdometerKm) + moved,
      engineHours: row.engineHours ?? (last?.engineHours ?? 0) + hours,
    };
    totals.set(row, next);
    last = next;
  }
  return totals;
}

/** Returns the position of a fix; null without one, when devices send 0, 0. */
function positionOf(gps: object | undefined): ScriptPlace | null {
  if (gps === undefined) return null;
  const { state, latitude, longitude } = gps as { readonly state?: unknown } & Partial<ScriptPlace>;
  if (state === false || latitude === undefined || longitude === undefined) return null;
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude };
}

function toRows(vehicleId: string, planned: readonly PlannedRow[]): ArrivingRow[] {
  const totals = totalsByRow(planned);
  return planned.map((row) => {
    const { odometerKm = defaultOdometerKm, engineHours = 0 } = totals.get(row) ?? {};
    const group = (name: keyof typeof groups): object | null => row.groups[name] ?? null;
    const snapshot = {
      vehicleId,
      timestamp: row.at,
      gps: group('gps'),
      ignition: row.ignition === undefined ? null : { engineStatus: row.ignition },
      canBus: group('canBus'),
      driverBehaviour: group('driverBehaviour'),
      temperatures: group('temperatures'),
      fleetMetaSensors: group('fleetMetaSensors'),
      fuel: group('fuel'),
      misc: group('misc'),
      locationTimestamp: group('gps') === null ? null : row.at,
      locationTimeZone: null,
      odometerKm: round(odometerKm),
      engineHours: round(engineHours),
    };
    // The groups have the contract's members; missing ones are answered as null.
    return { row: snapshot as unknown as TelemetryRow, arrivesAt: row.arrivesAt };
  });
}

/** Reads this vehicle's script. Messages name places such as `script[3].gps.speed`. */
export const scriptReader =
  (vehicleId: string): ValueReader<ReadScript> =>
  (value, place) => {
    if (Array.isArray(value)) {
      if (value.length > maxRows) fail(place, `can have at most ${maxRows} rows`);
      const planned = list(plannedRow)(value, place);
      // JSON writes a Date as RFC 3339 text; every member has been checked.
      return { source: JSON.parse(JSON.stringify(value)), rows: toRows(vehicleId, planned), swaps: [] };
    }
    const source = scriptedPath(value, place);
    const { rows, swaps } = rowsOfPath(source, Date.parse(source.from), place);
    return { source, rows: toRows(vehicleId, rows), swaps };
  };
