import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode } from "../../core/error-code.js";
import { makeFolder } from "../../core/make-folder.js";
import { restrictToOwner } from "../../core/owner-only.js";
import { settleFolder } from "../../core/settle-folder.js";
import { parseEntry } from "./parse-entry.js";
const MAX_ENTRIES = 1e3;
const MAX_BYTES = 64 * 1024 * 1024;
function journalFolder(configFolder) {
  return join(configFolder, "journal");
}
function newEntryFile(folder, { entries, bytes } = { entries: MAX_ENTRIES, bytes: MAX_BYTES }) {
  makeFolder(folder);
  restrictToOwner(folder, 448);
  const numbers = entryNumbers(folder);
  prune(folder, numbers, { entries: entries - 1, bytes });
  for (let n = (numbers.at(-1) ?? 0) + 1; ; n++) {
    const file = entryFile(folder, n);
    try {
      closeSync(openSync(file, "ax", 384));
      settleFolder(folder);
      return file;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
function appendLine(file, line, { isDurable }) {
  const opened = openSync(file, "a", 384);
  try {
    const bytes = Buffer.from(`${JSON.stringify(line)}
`);
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written);
    if (isDurable) fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
function readJournal(folder) {
  const entries = [];
  const unreadable = [];
  for (const n of entryNumbers(folder)) {
    const text = textOf(folder, n);
    if (text === "gone") continue;
    const entry = text === null ? null : parseEntry(n, text.content);
    if (entry) entries.push(entry);
    else unreadable.push(n);
  }
  return { entries, unreadable };
}
function textOf(folder, n) {
  try {
    return { content: readFileSync(entryFile(folder, n), "utf8") };
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : null;
  }
}
function entryFile(folder, n) {
  return join(folder, `${n}.ndjson`);
}
function numberOfEntry(file) {
  return Number(basename(file, ".ndjson"));
}
function entryNumbers(folder) {
  try {
    return readdirSync(folder).flatMap((name) => /^(\d{1,15})\.ndjson$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
function prune(folder, numbers, { entries, bytes }) {
  let kept = 0;
  let size = 0;
  for (const n of [...numbers].reverse()) {
    const file = entryFile(folder, n);
    size += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    kept++;
    if (kept > 1 && (kept > entries || size > bytes)) rmSync(file, { force: true });
  }
}
export {
  appendLine,
  journalFolder,
  newEntryFile,
  numberOfEntry,
  readJournal
};
