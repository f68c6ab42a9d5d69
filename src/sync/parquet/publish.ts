// Brings what is pending into the files that readers see. Each file is written beside them and takes the place of its older state in one step;
// those that say how far the copy has come are the last.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { settleFolder } from '../../core/settle-folder.js';
import { CURSOR_TABLE } from '../cursors.js';
import { ownTables, syncTables, type Table } from '../tables.js';
import type { CopyFiles } from './files.js';
import { fileOf, NO_DAY, OWN_FOLDER, type TablePlace } from './layout.js';
import { mergedRows } from './merge.js';
import type { Pending } from './pending.js';
import { writeTableFile } from './table-file.js';

/** Beside the files, on the same disk; readers do not look there. */
const NEXT = 'next';

/** Settings that only tests use. */
export interface PublishParts {
  /** Runs before a file takes its place. */
  readonly beforeReplace?: (() => void) | undefined;
}

const isLast = ({ name }: Table) => name === CURSOR_TABLE;
const inOrder: readonly Table[] = [
  ...[...syncTables, ...ownTables].filter((table) => !isLast(table)),
  ...ownTables.filter(isLast),
];

export async function publish(files: CopyFiles, pending: Pending, parts: PublishParts): Promise<void> {
  // What a sync that was killed while it wrote a file has left.
  rmSync(join(files.folder, OWN_FOLDER, NEXT), { force: true });
  for (const table of inOrder) {
    for (const day of daysToWrite(files, table, pending)) await replaceFile(files, { table, day }, pending, parts);
  }
  files.forget();
}

/** A table without days always has a file, so that readers find it. */
function daysToWrite(files: CopyFiles, table: Table, pending: Pending): readonly string[] {
  const days = [...pending.days(table)].sort();
  return days.length === 0 && table.period === undefined && files.days(table).length === 0 ? [NO_DAY] : days;
}

async function replaceFile(files: CopyFiles, place: TablePlace, pending: Pending, parts: PublishParts): Promise<void> {
  const path = join(files.folder, fileOf(place));
  const next = join(files.folder, OWN_FOLDER, NEXT);
  const { mode } = statSync(files.folder);
  const file = files.open(place);
  let rows = 0;
  try {
    // Who may read the folder may read its files. The mode is set apart, because the mask of the process takes from it.
    closeSync(openSync(next, 'wx', mode & 0o666));
    chmodSync(next, mode & 0o666);
    rows = await writeTableFile(files.hyparquet, next, place.table, mergedRows(place, file, pending));
  } finally {
    file?.close();
  }
  // Windows replaces no file that is open.
  files.forget();
  parts.beforeReplace?.();
  if (rows === 0 && place.day !== NO_DAY) {
    rmSync(next);
    removeWithFolder(path);
  } else {
    makeFolder(dirname(path), mode);
    renameSync(next, path);
    settleFolder(dirname(path));
  }
}

function makeFolder(folder: string, mode: number): void {
  const made = mkdirSync(folder, { recursive: true });
  if (made === undefined) return;
  for (let each = folder; each.length >= made.length; each = dirname(each)) {
    chmodSync(each, mode & 0o7777);
    settleFolder(dirname(each));
  }
}

function removeWithFolder(file: string): void {
  rmSync(file, { force: true });
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  // Somebody may keep things of their own there.
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  settleFolder(dirname(folder));
}
