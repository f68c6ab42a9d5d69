// Whether a value is a snapshot of this service. It may have been on disk or edited by hand since it was taken.
import type { FleetData } from './records.js';
import type { StoreSnapshot } from './store.js';

const lists: readonly (keyof FleetData)[] = [
  'vehicles',
  'devices',
  'groups',
  'labels',
  'vehicleTypes',
  'workSchedules',
  'people',
  'tokens',
  'roles',
  'assignments',
  'geofences',
  'rules',
  'metaSensors',
  'vehicleFieldNames',
  'personFieldNames',
];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectKeys(value: Readonly<Record<string, unknown>>, keys: readonly string[], where: string): void {
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw new TypeError(`${where} has an unknown key ${JSON.stringify(key.slice(0, 80))}`);
  }
  for (const key of keys) if (!Object.hasOwn(value, key)) throw new TypeError(`${where} lacks ${key}`);
}

/** The snapshot that this value is; a TypeError that says what is wrong with it otherwise. */
export function checkedSnapshot(value: unknown): StoreSnapshot {
  if (!isObject(value)) throw new TypeError('a snapshot must be an object');
  expectKeys(value, ['seed', 'created', 'fleets'], 'the snapshot');
  if (!Number.isSafeInteger(value.seed) || !Number.isSafeInteger(value.created)) {
    throw new TypeError('seed and created of a snapshot must be whole numbers');
  }
  if (!isObject(value.fleets)) throw new TypeError('fleets of a snapshot must be an object');
  for (const fleet of Object.values(value.fleets)) {
    if (!isObject(fleet)) throw new TypeError('a fleet of a snapshot must be an object');
    expectKeys(fleet, lists, 'a fleet of the snapshot');
    for (const list of lists) checkRows(fleet[list], list);
  }
  // Checked as deep as damage shows; the members of the records themselves are taken as they were written.
  return value as unknown as StoreSnapshot;
}

function checkRows(rows: unknown, list: keyof FleetData): void {
  if (!Array.isArray(rows)) throw new TypeError(`${list} of a snapshot must be a list`);
  const sound = (row: unknown): boolean => {
    if (list === 'vehicleFieldNames' || list === 'personFieldNames') return typeof row === 'string';
    return isObject(row) && (list === 'metaSensors' || typeof row.id === 'string');
  };
  if (!rows.every(sound)) throw new TypeError(`${list} of a snapshot holds something that is no record`);
}
