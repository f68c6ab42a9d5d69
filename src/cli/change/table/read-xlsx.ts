// Reads the first sheet of a workbook (.xlsx) as the rows of a table, with cells as csv would have them.
import { readSheet } from 'read-excel-file/universal';
import { unusableInput } from '../read-input.js';
import type { DelimitedRow } from './delimited.js';
import { unpackedSize } from './unpacked-size.js';

/** @throws CliError USAGE for a file that is no workbook */
export async function readXlsx(bytes: Uint8Array): Promise<readonly DelimitedRow[]> {
  const rows = await sheetOf(bytes);
  return rows
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => ({ text: textOf(cell), quoted: false })) }))
    .filter(({ cells }) => cells.some(({ text }) => text.trim() !== ''));
}

/** Half a million rows of three cells; they take a gigabyte of memory. A small file may unpack to any size. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

async function sheetOf(bytes: Uint8Array): Promise<readonly (readonly unknown[])[]> {
  if ((unpackedSize(bytes) ?? 0) > MAX_UNPACKED_BYTES) {
    throw unusableInput(
      'it is a workbook of more than 64 MB when it is unpacked',
      'Save the sheet as "CSV UTF-8" and give that file, or take the other sheets and the empty rows out of the workbook.',
    );
  }
  try {
    // A copy: the bytes may be a part of a larger buffer.
    return await readSheet(new Uint8Array(bytes).buffer);
  } catch {
    throw unusableInput(
      'it is no workbook that can be read, such as a ZIP archive or a workbook with a password',
      'Save it as .xlsx without a password, or as "CSV UTF-8", and give that file.',
    );
  }
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return timeText(cell);
  return String(cell);
}

/** A workbook has no zones: the parts of the time are those that people see in the cell. */
function timeText(time: Date): string {
  const [date = '', clock = ''] = exact(time).toISOString().slice(0, -1).split('T');
  const short = clock.replace(/\.000$/, '').replace(/:00$/, '');
  return clock === '00:00:00.000' ? date : `${date} ${short}`;
}

/** A workbook keeps fractions of a day, so a whole second may be a little less. */
function exact(time: Date): Date {
  const second = Math.round(time.getTime() / 1000) * 1000;
  return Math.abs(second - time.getTime()) <= 2 ? new Date(second) : time;
}
