// Reads the first sheet of a workbook (.xlsx) as table rows, with cells as in csv.
import { readSheet } from 'read-excel-file/universal';
import { unusableInput } from '../read-input.js';
import type { DelimitedCell, DelimitedRow } from './delimited.js';
import { shownCells } from './shown-cells.js';
import { PERCENT, plain } from './shown-number.js';

/** Reads the rows of the first sheet. Throws CliError USAGE for an invalid or too large file. */
export async function readXlsx(bytes: Uint8Array): Promise<readonly DelimitedRow[]> {
  if ((unpackedSize(bytes) ?? 0) > MAX_UNPACKED_BYTES) {
    throw unusableInput(
      'it is a workbook of more than 64 MB when it is unpacked',
      'Save the sheet as "CSV UTF-8" and give that file, or take the other sheets and the empty rows out of the workbook.',
    );
  }
  const { places, last, texts } = await orUnusable(() => shownCells(bytes));
  if (places > MAX_PLACES) {
    throw unusableInput(
      `its sheet reaches to ${last}: with the empty cells before it, that is more than ${MAX_PLACES / 1_000_000} million`,
      'Delete the rows and columns at the edge of the sheet, or save it as "CSV UTF-8" and give that file.',
    );
  }
  // A copy: the bytes may be a part of a larger buffer.
  const rows = await orUnusable(() => readSheet(new Uint8Array(bytes).buffer));
  return rows
    .map((cells, row) => ({
      line: row + 1,
      cells: cells.map((cell, column) => cellOf(cell, texts.get(`${row}:${column}`))),
    }))
    .filter(({ cells }) => cells.some(({ text }) => text.trim() !== ''));
}

/** Half a million rows of three cells, in 1 GB of memory. A small file may unpack to any size. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** The maximum number of cells, including empty ones, which the table contains too. */
const MAX_PLACES = 4_000_000;

/** Runs `read`; throws CliError USAGE when the workbook cannot be read. */
async function orUnusable<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw unusableInput(
      'it is no workbook that can be read, such as a ZIP archive or a workbook with a password',
      'Save it as .xlsx without a password, or as "CSV UTF-8", and give that file.',
    );
  }
}

const empty: DelimitedCell = { text: '', quoted: false };

/** Converts a cell to text. Errors and percentages have only their displayed text. */
function cellOf(cell: unknown, shown: string | undefined): DelimitedCell {
  if (cell === null || cell === undefined) return shown === undefined ? empty : { text: shown, quoted: false };
  if (typeof cell !== 'number') return { text: cell instanceof Date ? timeText(cell) : String(cell), quoted: false };
  if (shown?.endsWith(PERCENT)) return { text: shown, quoted: false };
  // Workbooks store 15 digits; longer numbers have lost their last digits.
  const isRounded = Math.abs(cell) >= 1e15;
  return { text: plain(cell), quoted: false, shown: isRounded ? cell.toExponential(5).toUpperCase() : shown };
}

/** Returns the time as the cell shows it, because workbooks have no zones. */
function timeText(time: Date): string {
  const [date = '', clock = ''] = exact(time).toISOString().slice(0, -1).split('T');
  const short = clock.replace(/\.000$/, '').replace(/:00$/, '');
  return clock === '00:00:00.000' ? date : `${date} ${short}`;
}

/** Rounds to a whole second within 2 ms, because workbooks store times as fractions of a day. */
function exact(time: Date): Date {
  const second = Math.round(time.getTime() / 1000) * 1000;
  return Math.abs(second - time.getTime()) <= 2 ? new Date(second) : time;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
/** Markers of ZIP64, for archives over 4 GB or with more entries; the values are elsewhere. */
const ELSEWHERE = { size: 0xffffffff, count: 0xffff } as const;

function unpackedSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  if (end === null) return null;
  const count = view.getUint16(end + 8, true);
  let at = view.getUint32(end + 16, true);
  if (count === ELSEWHERE.count || at === ELSEWHERE.size) return Number.POSITIVE_INFINITY;
  let size = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + ENTRY_BYTES > view.byteLength) return null;
    const unpacked = view.getUint32(at + 24, true);
    if (unpacked === ELSEWHERE.size) return Number.POSITIVE_INFINITY;
    size += unpacked;
    // The name, extra fields and a comment follow.
    at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}

/** Returns the offset of the last end-of-directory record; null without one. */
function endOfDirectory(view: DataView): number | null {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return null;
}
