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
  writeFileSync
} from "node:fs";
import { dirname, join } from "node:path";
import { settleFolder } from "fleet-telematics/kit";
import { CURSOR_TABLE } from "../cursors.js";
import { ownTables, syncTables } from "../tables.js";
import { EMPTY_DAY, fileOf, NO_DAY, OWN_FOLDER } from "./layout.js";
import { fileStateOf, MANIFEST } from "./manifest.js";
import { mergedRows } from "./merge.js";
import { writeTableFile } from "./table-file.js";
const NEXT = "next";
const isLast = ({ name }) => name === CURSOR_TABLE;
const inOrder = [
  ...[...syncTables, ...ownTables].filter((table) => !isLast(table)),
  ...ownTables.filter(isLast)
];
async function publish(publication, parts) {
  const { files, pending, manifest } = publication;
  rmSync(join(files.folder, OWN_FOLDER, NEXT), { force: true });
  for (const table of inOrder) {
    for (const day of daysToWrite(files, table, pending)) await replaceFile(publication, { table, day }, parts);
    if (table.period !== void 0 && files.days(table).includes(EMPTY_DAY) !== isEmpty(files, table))
      await replaceFile(publication, { table, day: EMPTY_DAY }, parts);
  }
  writeManifest(files.folder, manifest);
  files.forget();
}
function daysToWrite(files, table, pending) {
  const days = [...pending.days(table)].sort();
  return days.length === 0 && table.period === void 0 && files.days(table).length === 0 ? [NO_DAY] : days;
}
function isEmpty(files, table) {
  return files.days(table).every((day) => day === EMPTY_DAY);
}
async function replaceFile({ files, pending, manifest }, place, parts) {
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
  files.forget();
  const isKept = rows > 0 || place.day === NO_DAY || place.day === EMPTY_DAY && isEmpty(files, place.table);
  const state = isKept ? fileStateOf(next, rows) : null;
  pending.notePublished(fileOf(place), state);
  parts.beforeReplace?.();
  if (isKept) {
    makeFolder(dirname(path), statSync(files.folder).mode);
    renameSync(next, path);
    settleFolder(dirname(path));
  } else {
    rmSync(next);
    removeWithFolder(path);
  }
  manifest.set(fileOf(place), state);
}
function makeFile(path, folder) {
  const mode = statSync(folder).mode & 438;
  closeSync(openSync(path, "wx", mode));
  chmodSync(path, mode);
}
function writeManifest(folder, manifest) {
  const next = join(folder, OWN_FOLDER, NEXT);
  makeFile(next, folder);
  const file = openSync(next, "r+");
  try {
    writeFileSync(file, manifest.text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, join(folder, MANIFEST));
  settleFolder(folder);
}
function makeFolder(folder, mode) {
  const made = mkdirSync(folder, { recursive: true });
  if (made === void 0) return;
  for (let each = folder; each.length >= made.length; each = dirname(each)) {
    chmodSync(each, mode & 4095);
    settleFolder(dirname(each));
  }
}
function removeWithFolder(file) {
  rmSync(file, { force: true });
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === void 0) return;
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  settleFolder(dirname(folder));
}
export {
  publish
};
