// Writes the file of --failed: the input lines that were not done, which can be applied again.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../core/error-code.js';
import { refusal } from '../errors/cli-error.js';
import { refusedFile } from '../errors/unusable.js';
import { formatOfFile } from '../input/input-format.js';
import type { InputLine, TableFormat } from '../input/read-input.js';
import { csvCell } from '../output/csv.js';
import { cellText } from '../output/field-path.js';
import { tsvCell } from '../output/tsv.js';

/** Checks that the file of --failed can be written, without creating it. @throws CliError USAGE */
export function requireNotDoneFile(file: string, input: string | undefined, table: TableFormat | undefined): void {
  if (input !== undefined && isSame(file, input)) {
    throw refusal('--failed is the file that is applied.', {
      hint: 'Give --failed another name: it would lose the lines that are done or have an unknown outcome.',
    });
  }
  const tableFormat = tableFormatOf(file);
  if (tableFormat !== null && table === undefined) {
    throw refusal(`--failed cannot write ${tableFormat} for a file that is no table.`, {
      hint: 'Give it a name that ends in .ndjson.',
    });
  }
  attempt(() => {
    if (existsSync(file)) closeSync(openSync(file, 'r+'));
    else accessSync(dirname(file), constants.W_OK);
  });
}

/**
 * Opens the file before anything is sent, and returns a function that writes the lines. The old
 * content stays until then. A new file is readable only by its owner, because lines may contain
 * private data.
 */
export function openNotDoneFile(file: string): (lines: readonly InputLine[]) => void {
  const format = tableFormatOf(file);
  const opened = attempt(() => openSync(file, 'a', 0o600));
  return (lines) =>
    attempt(() => {
      try {
        truncate(opened);
        writeFileSync(
          opened,
          format !== null ? tableText(lines, format) : lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        );
      } finally {
        closeSync(opened);
      }
    });
}

function tableFormatOf(file: string): TableFormat | null {
  const format = formatOfFile(file);
  return format === 'csv' || format === 'tsv' ? format : null;
}

/** Truncates the file. Ignores pipes and devices, which cannot be truncated. */
function truncate(opened: number): void {
  try {
    ftruncateSync(opened);
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error;
  }
}

function isSame(pathA: string, pathB: string): boolean {
  try {
    // Compares inodes, because links have different names.
    const [a, b] = [statSync(pathA, { bigint: true }), statSync(pathB, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusedFile('file of --failed', 'written', error);
  }
}

function tableText(lines: readonly InputLine[], format: TableFormat): string {
  const objects = lines.filter((line) => typeof line !== 'string');
  const columns = [...new Set(objects.flatMap((line) => Object.keys(line)))];
  if (columns.length === 0) return '';
  const rows = objects.map((line) => columns.map((column) => textOf(line[column])));
  return format === 'csv'
    ? [columns.map((cell) => csvCell(cell)), ...rows.map((row) => row.map(csvOf))]
        .map((row) => `${row.join(',')}\n`)
        .join('')
    : [columns, ...rows.map((row) => row.map((cell) => tsvCell(cell ?? 'null')))]
        .map((row) => `${row.join('\t')}\n`)
        .join('');
}

/** Returns the text of a cell; null for null, which is written without quotes. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (value === undefined) return '';
  // Lists are JSON, because a name may contain the list separator.
  return Array.isArray(value) ? JSON.stringify(value) : cellText(value);
}

function csvOf(cell: string | null): string {
  if (cell === null) return 'null';
  return csvCell(cell);
}
