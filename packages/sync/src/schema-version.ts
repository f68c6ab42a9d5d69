// The version of the tables, as a copy has written it down.

import { SyncTargetError } from 'fleet-telematics/kit';
import { damagedCopy } from './damaged-copy.js';
import type { Migration } from './ddl.js';

/** What messages say of a place for a copy. */
interface Place {
  readonly name: string;
  readonly another: 'another file' | 'another folder' | 'another schema';
}

/** The version that a copy has when all migrations were done. */
export function newestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}

/** @throws {SyncTargetError} when the value is no version, or one that only a newer version of this package knows. */
export function knownVersion(value: unknown, { name, another }: Place, known: readonly Migration[]): number {
  const version = typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : null;
  if (version === null) {
    const hint = `Write to ${another}, or to this one when it has been emptied: the next sync reads everything anew.`;
    throw damagedCopy('sync_state', 'schema_version is no number', hint);
  }
  const newest = newestOf(known);
  if (version <= newest) return version;
  throw new SyncTargetError(
    'NEWER',
    `${name} was made by a newer version of fleet-telematics: its tables have version ${version}, this one knows ${newest}. Nothing was changed.`,
    `Update fleet-telematics, or write to ${another}.`,
  );
}
