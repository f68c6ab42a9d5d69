// Writes pending changes to the files that readers see. Each file is replaced in one step. The
// cursors are the last table, and then comes the manifest.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from 'fleet-telematics/kit';
import { CURSOR_TABLE } from '../cursors.js';
import { ownTables, syncTables, type Table } from '../tables.js';
import type { CopyFiles } from './files.js';
import { EMPTY_DAY, fileOf, NO_DAY, OWN_FOLDER, type TablePlace } from './layout.js';
import { fileStateOf, MANIFEST, type Manifest } from './manifest.js';
import { mergedRows } from './merge.js';
import type { Pending } from './pending.js';
import { writeTableFile } from './table-file.js';

/** On the disk of the files, where readers do not look. */
const NEXT = 'next';

/** Settings for tests. */
export interface PublishParts {
  /** Runs before a file is replaced. */
  readonly beforeReplace?: (() => void) | undefined;
}

const isLast = ({ name }: Table) => name === CURSOR_TABLE;
const inOrder: readonly Table[] = [
  ...[...syncTables, ...ownTables].filter((table) => !isLast(table)),
  ...ownTables.filter(isLast),
];

export interface Publication {
  readonly files: CopyFiles;
  readonly pending: Pending;
  readonly manifest: Manifest;
}

export async function publish(publication: Publication, parts: PublishParts): Promise<void> {
  const { files, pending, manifest } = publication;
  // A file that a killed sync has left half written.
  rmSync(join(files.folder, OWN_FOLDER, NEXT), { force: true });
  for (const table of inOrder) {
    for (const day of daysToWrite(files, table, pending)) await replaceFile(publication, { table, day }, parts);
    if (table.period !== undefined && files.days(table).includes(EMPTY_DAY) !== isEmpty(files, table))
      await replaceFile(publication, { table, day: EMPTY_DAY }, parts);
  }
  writeManifest(files.folder, manifest);
  files.dropCache();
}

/** Returns the days to write. A table without days always has a file, so that readers find it. */
function daysToWrite(files: CopyFiles, table: Table, pending: Pending): readonly string[] {
  const days = [...pending.days(table)].sort();
  return days.length === 0 && table.period === undefined && files.days(table).length === 0 ? [NO_DAY] : days;
}

function isEmpty(files: CopyFiles, table: Table): boolean {
  return files.days(table).every((day) => day === EMPTY_DAY);
}

async function replaceFile(
  { files, pending, manifest }: Publication,
  place: TablePlace,
  parts: PublishParts,
): Promise<void> {
  const path = join(files.folder, fileOf(place));
  const next = join(files.folder, OWN_FOLDER, NEXT);
  const file = files.open(place);
  let rows = 0;
  try {
    makeFile(next, files.folder);
    rows = await writeTableFile(files.hyparquet, next, place.table, mergedRows(place, file, pending));
  } finally {
    file?.close();
  }
  // Windows cannot replace an open file.
  files.dropCache();
  const isKept = rows > 0 || place.day === NO_DAY || (place.day === EMPTY_DAY && isEmpty(files, place.table));
  const state = isKept ? fileStateOf(next, rows) : null;
  pending.notePublished(fileOf(place), state);
  parts.beforeReplace?.();
  if (isKept) {
    makeFolder(dirname(path), statSync(files.folder).mode);
    renameSync(next, path);
    syncFolder(dirname(path));
  } else {
    rmSync(next);
    removeWithFolder(path);
  }
  manifest.set(fileOf(place), state);
}

/** Creates a file for everybody who can read the folder. chmod ignores the umask. */
function makeFile(path: string, folder: string): void {
  const mode = statSync(folder).mode & 0o666;
  closeSync(openSync(path, 'wx', mode));
  chmodSync(path, mode);
}

function writeManifest(folder: string, manifest: Manifest): void {
  const next = join(folder, OWN_FOLDER, NEXT);
  makeFile(next, folder);
  const file = openSync(next, 'r+');
  try {
    writeFileSync(file, manifest.text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, join(folder, MANIFEST));
  syncFolder(folder);
}

function makeFolder(folder: string, mode: number): void {
  const made = mkdirSync(folder, { recursive: true });
  if (made === undefined) return;
  for (let each = folder; each.length >= made.length; each = dirname(each)) {
    chmodSync(each, mode & 0o7777);
    syncFolder(dirname(each));
  }
}

function removeWithFolder(file: string): void {
  rmSync(file, { force: true });
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  // The folder may have other files.
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  syncFolder(dirname(folder));
}
