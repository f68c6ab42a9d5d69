import { readSheet } from "read-excel-file/universal";
import { unusableInput } from "../read-input.js";
import { shownCells } from "./shown-cells.js";
import { PERCENT, plain } from "./shown-number.js";
async function readXlsx(bytes) {
  if ((unpackedSize(bytes) ?? 0) > MAX_UNPACKED_BYTES) {
    throw unusableInput(
      "it is a workbook of more than 64 MB when it is unpacked",
      'Save the sheet as "CSV UTF-8" and give that file, or take the other sheets and the empty rows out of the workbook.'
    );
  }
  const { places, last, texts } = await readable(() => shownCells(bytes));
  if (places > MAX_PLACES) {
    throw unusableInput(
      `its sheet reaches to ${last}: with the empty cells before it, that is more than ${MAX_PLACES / 1e6} million`,
      'Delete the rows and columns at the edge of the sheet, or save it as "CSV UTF-8" and give that file.'
    );
  }
  const rows = await readable(() => readSheet(new Uint8Array(bytes).buffer));
  return rows.map((cells, row) => ({
    line: row + 1,
    cells: cells.map((cell, column) => cellOf(cell, texts.get(`${row}:${column}`)))
  })).filter(({ cells }) => cells.some(({ text }) => text.trim() !== ""));
}
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_PLACES = 4e6;
async function readable(read) {
  try {
    return await read();
  } catch {
    throw unusableInput(
      "it is no workbook that can be read, such as a ZIP archive or a workbook with a password",
      'Save it as .xlsx without a password, or as "CSV UTF-8", and give that file.'
    );
  }
}
const empty = { text: "", quoted: false };
function cellOf(cell, shown) {
  if (cell === null || cell === void 0) return shown === void 0 ? empty : { text: shown, quoted: false };
  if (typeof cell !== "number") return { text: cell instanceof Date ? timeText(cell) : String(cell), quoted: false };
  if (shown?.endsWith(PERCENT)) return { text: shown, quoted: false };
  const isRounded = Math.abs(cell) >= 1e15;
  return { text: plain(cell), quoted: false, shown: isRounded ? cell.toExponential(5).toUpperCase() : shown };
}
function timeText(time) {
  const [date = "", clock = ""] = exact(time).toISOString().slice(0, -1).split("T");
  const short = clock.replace(/\.000$/, "").replace(/:00$/, "");
  return clock === "00:00:00.000" ? date : `${date} ${short}`;
}
function exact(time) {
  const second = Math.round(time.getTime() / 1e3) * 1e3;
  return Math.abs(second - time.getTime()) <= 2 ? new Date(second) : time;
}
const END_OF_DIRECTORY = 101010256;
const END_BYTES = 22;
const LONGEST_COMMENT = 65535;
const ENTRY_BYTES = 46;
const ELSEWHERE = { size: 4294967295, count: 65535 };
function unpackedSize(bytes) {
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
    at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}
function endOfDirectory(view) {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return null;
}
export {
  readXlsx
};
