// The version of the tables in a copy, and the upgrades of older copies.

import { SyncTargetError } from 'fleet-telematics/kit';
import { damagedCopy } from './copy-error.js';
import { type Dialect, newTables } from './ddl.js';

/** A change of the tables from one version to the next, as statements. */
export type Upgrade = (dialect: Dialect) => readonly string[];

/**
 * Upgrades from version 1 to 2, from 2 to 3 and so on. A release that changes tables.ts adds one,
 * which brings old tables to the state of new ones. The views are then created again.
 */
export const upgrades: readonly Upgrade[] = [];

interface CopyPlace {
  readonly name: string;
  readonly another: 'another file' | 'another folder' | 'another schema';
}

export function newestVersion(upgradeSteps: readonly Upgrade[] = upgrades): number {
  return 1 + upgradeSteps.length;
}

/** Returns the statements that bring tables to the newest version. A new copy has version 0. */
export function tableChanges(version: number, upgradeSteps: readonly Upgrade[], dialect: Dialect): readonly string[] {
  if (version === 0) return newTables(dialect);
  return upgradeSteps.slice(version - 1).flatMap((statements) => statements(dialect));
}

/**
 * Returns the version of a copy.
 * @throws {SyncTargetError} when the value is no version, or that of a newer package.
 */
export function parseVersion(value: unknown, { name, another }: CopyPlace, upgradeSteps = upgrades): number {
  const version = typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : null;
  if (version === null) {
    const hint = `Write to ${another}, or to this one when it has been emptied: the next sync reads everything anew.`;
    throw damagedCopy('sync_state', 'schema_version is no number', hint);
  }
  const newest = newestVersion(upgradeSteps);
  if (version <= newest) return version;
  throw new SyncTargetError(
    'NEWER',
    `${name} was made by a newer version of fleet-telematics: its tables have version ${version}, this one knows ${newest}. Nothing was changed.`,
    `Update fleet-telematics, or write to ${another}.`,
  );
}
