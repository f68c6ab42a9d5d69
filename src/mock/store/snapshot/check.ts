// Checks a value that should be a snapshot: it may have been edited since it was taken.
import { isJsonObject, quotedKey } from '../../core/json-object.js';
import type { StoreSnapshot } from '../records.js';
import { fail, type Reader, type Reference, record, wholeNumber } from './readers.js';
import { deletedData, fleetData } from './shapes.js';
import { checkReferences } from './structure.js';

const readFleets: Reader<StoreSnapshot['fleets']> = (value, path) => {
  if (!isJsonObject(value)) return fail(path, 'must be an object');
  const read = Object.entries(value).map(([id, fleet]) => {
    const fleetPath = `${path}[${quotedKey(id)}]`;
    // References of a fleet are ids of records of the same fleet.
    const references: Reference[] = [];
    const data = fleetData(fleet, fleetPath, references);
    checkReferences(id, data, references, fleetPath);
    return [id, data] as const;
  });
  return Object.fromEntries(read);
};

const readDeleted: Reader<NonNullable<StoreSnapshot['deleted']>> = (value, path) => {
  if (!isJsonObject(value)) return fail(path, 'must be an object');
  const read = Object.entries(value).map(
    ([id, data]) => [id, deletedData(data, `${path}[${quotedKey(id)}]`, [])] as const,
  );
  return Object.fromEntries(read);
};

const readRecords = record<Omit<StoreSnapshot, 'deleted'>>({
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  created: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  fleets: readFleets,
});

// A snapshot of the whole service has these too; service-snapshot.ts checks them.
const otherMembers = ['deleted', 'scripts', 'answers', 'variant'];

/** Returns a copy of the records of a snapshot, or throws a TypeError that names the fleet, list, record and member that is wrong. */
export function parseSnapshot(value: unknown): StoreSnapshot {
  if (!isJsonObject(value)) return fail('snapshot', 'must be an object');
  const records = Object.entries(value).filter(([key]) => !otherMembers.includes(key));
  const read = readRecords(Object.fromEntries(records), 'snapshot', []);
  return value.deleted === undefined ? read : { ...read, deleted: readDeleted(value.deleted, 'snapshot.deleted', []) };
}
