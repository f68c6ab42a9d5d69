// Checks the script of a vehicle and turns it into the rows that the vehicle sends.
import { distanceKm } from '../core/great-circle.js';
import { isJsonObject, type JsonObject, quotedKey } from '../core/json-object.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { SnapshotRow } from '../telemetry/telemetry.js';
import { readContractObject, readTime } from './contract-value.js';
import { maxRows, type PlannedRow, rowsOfPath } from './path-rows.js';
import type { PathGroup, PathStep, Place, ScriptedPath, VehicleScript } from './script-types.js';

/** A row and when it reaches the service. */
export interface ArrivingRow {
  readonly row: SnapshotRow;
  readonly arrivesAt: number;
}

/** A device that a vehicle carries from a time on. */
export interface DeviceSwap {
  readonly at: number;
  readonly serial: string;
}

export interface ReadScript {
  /** The script as plain data, with times as RFC 3339 text. */
  readonly source: VehicleScript;
  readonly rows: readonly ArrivingRow[];
  readonly swaps: readonly DeviceSwap[];
}

const maxMinutes = 1_000_000;

function fail(path: string, problem: string): never {
  throw new TypeError(`${path} ${problem}`);
}

function object(value: unknown, path: string, allowed: readonly string[]): JsonObject {
  if (!isJsonObject(value)) return fail(path, 'must be an object');
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) fail(path, `cannot have ${quotedKey(unknown)}, only ${allowed.join(', ')}`);
  return value;
}

function number(value: unknown, path: string, from: number, to: number): number {
  const isValid = typeof value === 'number' && value >= from && value <= to;
  return isValid ? value : fail(path, `must be a number from ${from} to ${to}`);
}

function optionalNumber(value: unknown, path: string, from: number, to: number): number | undefined {
  return value === undefined ? undefined : number(value, path, from, to);
}

function place(value: unknown, path: string): Place {
  const { latitude, longitude } = object(value, path, ['latitude', 'longitude']);
  return {
    latitude: number(latitude, `${path}.latitude`, -90, 90),
    longitude: number(longitude, `${path}.longitude`, -180, 180),
  };
}

const minutes = (value: unknown, path: string): number =>
  number(value, path, 0, maxMinutes) || fail(path, 'must be above 0');

const rowMembers = ['everySeconds', 'without', 'noFix', 'lateMinutes'];
const pathGroups: readonly PathGroup[] = ['gps', 'ignition', 'canBus'];

function stepRows(
  step: JsonObject,
  path: string,
): Pick<Extract<PathStep, { kind: 'idle' }>, 'everySeconds' | 'without' | 'noFix' | 'lateMinutes'> {
  const { without, noFix } = step;
  if (noFix !== undefined && typeof noFix !== 'boolean') fail(`${path}.noFix`, 'must be true or false');
  if (without !== undefined && !Array.isArray(without)) fail(`${path}.without`, 'must be a list');
  const everySeconds = optionalNumber(step.everySeconds, `${path}.everySeconds`, 1, 86_400);
  const lateMinutes = optionalNumber(step.lateMinutes, `${path}.lateMinutes`, 0, maxMinutes);
  return {
    ...(everySeconds === undefined ? {} : { everySeconds }),
    ...(lateMinutes === undefined ? {} : { lateMinutes }),
    ...(noFix === undefined ? {} : { noFix }),
    ...(without === undefined
      ? {}
      : {
          without: Array.from(
            without,
            (group: unknown, index) =>
              pathGroups.find((known) => known === group) ??
              fail(`${path}.without[${index}]`, `must be one of ${pathGroups.join(', ')}`),
          ),
        }),
  };
}

const stepReaders: Readonly<Record<PathStep['kind'], (value: JsonObject, path: string) => PathStep>> = {
  move(value, path) {
    const step = object(value, path, ['kind', 'to', 'minutes', 'speedKmh', ...rowMembers]);
    if ((step.minutes === undefined) === (step.speedKmh === undefined))
      fail(path, 'needs either minutes or speedKmh, not both');
    const common = { kind: 'move', to: place(step.to, `${path}.to`), ...stepRows(step, path) } as const;
    if (step.minutes !== undefined) return { ...common, minutes: minutes(step.minutes, `${path}.minutes`) };
    return { ...common, speedKmh: number(step.speedKmh, `${path}.speedKmh`, 1, 1_000) };
  },
  idle(value, path) {
    const step = object(value, path, ['kind', 'minutes', ...rowMembers]);
    return { kind: 'idle', minutes: minutes(step.minutes, `${path}.minutes`), ...stepRows(step, path) };
  },
  stop(value, path) {
    const step = object(value, path, ['kind', 'minutes', ...rowMembers]);
    return { kind: 'stop', minutes: minutes(step.minutes, `${path}.minutes`), ...stepRows(step, path) };
  },
  silence(value, path) {
    const step = object(value, path, ['kind', 'minutes', 'to']);
    const to = step.to === undefined ? {} : { to: place(step.to, `${path}.to`) };
    return { kind: 'silence', minutes: minutes(step.minutes, `${path}.minutes`), ...to };
  },
  swapDevice(value, path) {
    const { serial, odometerKm } = object(value, path, ['kind', 'serial', 'odometerKm']);
    if (typeof serial !== 'string' || serial.trim() === '')
      return fail(`${path}.serial`, 'must be a string that is not empty');
    const start = optionalNumber(odometerKm, `${path}.odometerKm`, 0, 10_000_000);
    return { kind: 'swapDevice', serial, ...(start === undefined ? {} : { odometerKm: start }) };
  },
};

function readStep(value: unknown, path: string): PathStep {
  const kinds = Object.keys(stepReaders);
  const kind = isJsonObject(value) ? value.kind : undefined;
  const found = kinds.find((candidate) => candidate === kind) as PathStep['kind'] | undefined;
  if (found === undefined || !isJsonObject(value)) return fail(path, `needs a kind, one of ${kinds.join(', ')}`);
  return stepReaders[found](value, path);
}

function readPath(value: unknown, path: string): ScriptedPath {
  const { from, start, odometerKm, steps } = object(value, path, ['from', 'start', 'odometerKm', 'steps']);
  if (!Array.isArray(steps) || steps.length === 0) return fail(`${path}.steps`, 'must be a list of at least one step');
  const odometer = optionalNumber(odometerKm, `${path}.odometerKm`, 0, 10_000_000);
  return {
    from: toRfc3339(readTime(from, `${path}.from`)),
    start: place(start, `${path}.start`),
    ...(odometer === undefined ? {} : { odometerKm: odometer }),
    steps: Array.from(steps, (step: unknown, index) => readStep(step, `${path}.steps[${index}]`)),
  };
}

/** The groups that are objects, with their types in the contract. */
const groups = {
  gps: 'Gps',
  canBus: 'CanBus',
  driverBehaviour: 'DriverBehaviour',
  temperatures: 'Temperatures',
  fleetMetaSensors: 'FleetMetaSensors',
  fuel: 'Fuel',
  misc: 'Misc',
} as const;

const rowKeys = ['at', 'arrivesAt', 'ignition', 'odometerKm', 'engineHours', ...Object.keys(groups)];

function readRow(value: unknown, path: string): PlannedRow {
  const row = object(value, path, rowKeys);
  const at = readTime(row.at, `${path}.at`);
  const arrivesAt = row.arrivesAt === undefined ? at : readTime(row.arrivesAt, `${path}.arrivesAt`);
  if (arrivesAt < at) fail(`${path}.arrivesAt`, 'must not be before at');
  if (row.ignition !== undefined && typeof row.ignition !== 'boolean')
    fail(`${path}.ignition`, 'must be true or false');
  const read: Record<string, object> = {};
  for (const [group, type] of Object.entries(groups)) {
    if (row[group] !== undefined) read[group] = readContractObject(type, row[group], `${path}.${group}`);
  }
  const odometerKm = optionalNumber(row.odometerKm, `${path}.odometerKm`, 0, 10_000_000);
  const engineHours = optionalNumber(row.engineHours, `${path}.engineHours`, 0, 10_000_000);
  return {
    at,
    arrivesAt,
    ...(row.ignition === undefined ? {} : { ignition: row.ignition }),
    ...(odometerKm === undefined ? {} : { odometerKm }),
    ...(engineHours === undefined ? {} : { engineHours }),
    groups: read,
  };
}

interface Totals {
  readonly at: number;
  readonly ignition: boolean;
  readonly position: Place | null;
  readonly odometerKm: number;
  readonly engineHours: number;
}

const defaultOdometerKm = 10_000;

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Fills in the totals that rows leave out, in the order of time, whatever the order of the rows. */
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

/** The position of a fix; null without one, when devices send 0, 0. */
function positionOf(gps: object | undefined): Place | null {
  if (gps === undefined) return null;
  const { state, latitude, longitude } = gps as { readonly state?: unknown } & Partial<Place>;
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
    // The groups have the members of the contract; one that a script leaves out is answered as null.
    return { row: snapshot as unknown as SnapshotRow, arrivesAt: row.arrivesAt };
  });
}

/** The rows of a script. Throws a TypeError that names the place that is wrong, such as `script[3].gps.speed`. */
export function readScript(vehicleId: string, script: unknown): ReadScript {
  if (Array.isArray(script)) {
    if (script.length > maxRows) fail('script', `can have at most ${maxRows} rows`);
    const planned = Array.from(script, (row: unknown, index) => readRow(row, `script[${index}]`));
    // JSON writes a Date as RFC 3339 text; every member has been checked.
    return { source: JSON.parse(JSON.stringify(script)), rows: toRows(vehicleId, planned), swaps: [] };
  }
  const path = readPath(script, 'script');
  const { rows, swaps } = rowsOfPath(path, readTime(path.from, 'script.from'));
  return { source: path, rows: toRows(vehicleId, rows), swaps };
}
