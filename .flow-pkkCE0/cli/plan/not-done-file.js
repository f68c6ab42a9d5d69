import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  statSync,
  writeFileSync
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../core/error-code.js";
import { refusal } from "../errors/cli-error.js";
import { refusedFile } from "../errors/unusable.js";
import { formatOfFile } from "../input/input-format.js";
import { csvCell } from "../output/csv.js";
import { cellText } from "../output/field-path.js";
import { tsvCell } from "../output/tsv.js";
function requireNotDoneFile(file, input, table) {
  if (input !== void 0 && isSame(file, input)) {
    throw refusal("--failed is the file that is applied.", {
      hint: "Give --failed another name: it would lose the lines that are done or have an unknown outcome."
    });
  }
  const tableFormat = tableFormatOf(file);
  if (tableFormat !== null && table === void 0) {
    throw refusal(`--failed cannot write ${tableFormat} for a file that is no table.`, {
      hint: "Give it a name that ends in .ndjson."
    });
  }
  attempt(() => {
    if (existsSync(file)) closeSync(openSync(file, "r+"));
    else accessSync(dirname(file), constants.W_OK);
  });
}
function openNotDoneFile(file) {
  const format = tableFormatOf(file);
  const opened = attempt(() => openSync(file, "a", 384));
  return (lines) => attempt(() => {
    try {
      truncate(opened);
      writeFileSync(
        opened,
        format !== null ? tableText(lines, format) : lines.map((line) => `${JSON.stringify(line)}
`).join("")
      );
    } finally {
      closeSync(opened);
    }
  });
}
function tableFormatOf(file) {
  const format = formatOfFile(file);
  return format === "csv" || format === "tsv" ? format : null;
}
function truncate(opened) {
  try {
    ftruncateSync(opened);
  } catch (error) {
    if (errorCode(error) !== "EINVAL") throw error;
  }
}
function isSame(pathA, pathB) {
  try {
    const [a, b] = [statSync(pathA, { bigint: true }), statSync(pathB, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
function attempt(work) {
  try {
    return work();
  } catch (error) {
    throw refusedFile("file of --failed", "written", error);
  }
}
function tableText(lines, format) {
  const objects = lines.filter((line) => typeof line !== "string");
  const columns = [...new Set(objects.flatMap((line) => Object.keys(line)))];
  if (columns.length === 0) return "";
  const rows = objects.map((line) => columns.map((column) => textOf(line[column])));
  return format === "csv" ? [columns.map((cell) => csvCell(cell)), ...rows.map((row) => row.map(csvOf))].map((row) => `${row.join(",")}
`).join("") : [columns, ...rows.map((row) => row.map((cell) => tsvCell(cell ?? "null")))].map((row) => `${row.join("	")}
`).join("");
}
function textOf(value) {
  if (value === null) return null;
  if (value === void 0) return "";
  return Array.isArray(value) ? JSON.stringify(value) : cellText(value);
}
function csvOf(cell) {
  if (cell === null) return "null";
  return csvCell(cell);
}
export {
  openNotDoneFile,
  requireNotDoneFile
};
