// Selects the columns of `snapshots` to fill. Only their fields are requested.
import { didYouMean, refusedInput } from 'fleet-telematics/kit';
import { damagedCopy } from './copy-error.js';
import type { StampedCopy } from './stamped-copy.js';
import { STAMP, tableOf } from './tables.js';

/** Stands for every column, and `rest`. */
const ALL_COLUMNS = 'all';

const table = tableOf('snapshots');
/** Columns of every row, or without a single value of a snapshot. */
const others = new Set([...table.key, STAMP, 'rest']);
const columns = table.columns.filter(({ name }) => !others.has(name));

/** Columns of `positions`: position, speed and driver. */
const positions = [
  ...['has_fix', 'latitude_deg', 'longitude_deg', 'direction_deg', 'altitude_m', 'speed_kmh', 'satellites', 'hdop'],
  ...['is_ignition_on', 'driver_id'],
];
const profiles: ReadonlyMap<string, readonly string[]> = new Map([['positions', positions]]);

/** The requested fields of a snapshot, besides vehicle and time. */
export interface SnapshotSelection {
  readonly vehicleId: true;
  readonly timestamp: true;
}

/**
 * Returns names of columns in order, with commas, or `all`, as the copy stores them.
 * @throws {InvalidInputError}
 */
export function columnList(requested: readonly string[]): string {
  const choices = [ALL_COLUMNS, ...profiles.keys(), ...columns.map(({ name }) => name)];
  const unknown = requested.find((word) => !choices.includes(word));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, choices) ?? `There are ${choices.join(', ')}.`;
    throw refusal(`columns has "${unknown}", which is no column of snapshots that can be chosen. ${hint}`);
  }
  if (requested.length === 0)
    throw refusal('columns is an empty list, so snapshots would have nothing but their times.');
  if (requested.includes(ALL_COLUMNS)) return ALL_COLUMNS;
  const names = new Set(requested.flatMap((word) => profiles.get(word) ?? [word]));
  return columns.flatMap(({ name }) => (names.has(name) ? [name] : [])).join(',');
}

function refusal(message: string) {
  return refusedInput(message, 'sync', 'read');
}

/** Returns the fields to request; null for all fields. */
export function selectionOf(list: string): SnapshotSelection | null {
  if (list === ALL_COLUMNS) return null;
  const chosen = new Set(list.split(','));
  const selection: Record<string, true | Record<string, true>> = {};
  for (const { name, from } of columns) {
    const [group = '', member] = chosen.has(name) ? (from ?? '').split('.') : [];
    if (member !== undefined) selection[group] = { ...Object(selection[group]), [member]: true };
    else if (group !== '') selection[group] = true;
  }
  return { ...selection, vehicleId: true, timestamp: true };
}

const STATE_NAME = 'snapshot_columns';

/** Returns the requested columns, which the copy then stores, or those that it has stored. */
export async function filledColumns(
  copy: StampedCopy,
  requested: string | null,
): Promise<{ readonly list: string; readonly before: string }> {
  const before = storedColumns(await copy.read('sync_state', ['value'], { name: [STATE_NAME] }));
  const list = requested ?? before;
  if (list !== before) await copy.note(() => [{ kind: 'upsert', table: 'sync_state', rows: [[STATE_NAME, list]] }]);
  return { list, before };
}

function storedColumns([row]: Awaited<ReturnType<StampedCopy['read']>>): string {
  const list = String(row?.[0] ?? ALL_COLUMNS);
  const isKnown = list === ALL_COLUMNS || list.split(',').every((name) => columns.some((one) => one.name === name));
  if (isKnown) return list;
  throw damagedCopy(
    'sync_state',
    `the value of ${STATE_NAME} is no list of columns`,
    'Set it to the names of columns of snapshots, with commas and without spaces, or delete the row: then all columns are filled.',
  );
}
