// The files of the journal, one for each changing command, named by number. Processes never share a
// file, lines are only appended, and the oldest files are removed.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode } from '../../core/error-code.js';
import { makeFolder, restrictToOwner, syncFolder } from '../../core/private-file.js';
import type { JournalEntry } from './entry.js';
import { parseEntry } from './parse-entry.js';

const MAX_ENTRIES = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

export interface Limits {
  readonly entries: number;
  readonly bytes: number;
}

export function journalFolder(configFolder: string): string {
  return join(configFolder, 'journal');
}

/** Creates the file of a new entry and removes old ones. Throws when it cannot write. */
export function newEntryFile(
  folder: string,
  { entries, bytes }: Limits = { entries: MAX_ENTRIES, bytes: MAX_BYTES },
): string {
  makeFolder(folder);
  restrictToOwner(folder, 0o700);
  const numbers = entryNumbers(folder);
  prune(folder, numbers, { entries: entries - 1, bytes });
  for (let n = (numbers.at(-1) ?? 0) + 1; ; n++) {
    const file = entryFile(folder, n);
    try {
      // Two processes cannot create the same file.
      closeSync(openSync(file, 'ax', 0o600));
      syncFolder(folder);
      return file;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Appends a line with one write. A durable line survives a crash of the machine. */
export function appendLine(file: string, line: object, { isDurable }: { readonly isDurable: boolean }): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written);
    if (isDurable) fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Returns all entries by number, and the numbers of the unreadable ones. */
export function readJournal(folder: string): {
  readonly entries: readonly JournalEntry[];
  readonly unreadable: readonly number[];
} {
  const entries: JournalEntry[] = [];
  const unreadable: number[] = [];
  for (const n of entryNumbers(folder)) {
    const text = textOf(folder, n);
    if (text === 'gone') continue;
    const entry = text === null ? null : parseEntry(n, text.content);
    if (entry) entries.push(entry);
    else unreadable.push(n);
  }
  return { entries, unreadable };
}

/** Returns null for an unreadable file, `gone` for one that another process has just removed. */
function textOf(folder: string, n: number): { readonly content: string } | 'gone' | null {
  try {
    return { content: readFileSync(entryFile(folder, n), 'utf8') };
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : null;
  }
}

function entryFile(folder: string, n: number): string {
  return join(folder, `${n}.ndjson`);
}

export function numberOfEntry(file: string): number {
  return Number(basename(file, '.ndjson'));
}

function entryNumbers(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => /^(\d{1,15})\.ndjson$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Removes the oldest entries. The newest one always stays, so that no number is used twice. */
function prune(folder: string, numbers: readonly number[], { entries, bytes }: Limits): void {
  let entryCount = 0;
  let size = 0;
  for (const n of [...numbers].reverse()) {
    const file = entryFile(folder, n);
    size += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    entryCount++;
    if (entryCount > 1 && (entryCount > entries || size > bytes)) rmSync(file, { force: true });
  }
}
