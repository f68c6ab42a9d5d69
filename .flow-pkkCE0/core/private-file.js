import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
const LEFT_BEHIND_MS = 6e4;
function writePrivateFile(file, text) {
  const temporary = `${temporaryPrefix(file)}${randomUUID()}`;
  try {
    const opened = openSync(temporary, "wx", 384);
    try {
      writeFileSync(opened, text);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(temporary, file);
    const now = statSync(file).mtimeMs;
    removeTemporaries(file, (modifiedAt) => now - modifiedAt > LEFT_BEHIND_MS);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
function removeTemporaryFiles(file) {
  removeTemporaries(file, () => true);
}
function removeTemporaries(file, isLeft) {
  const folder = dirname(file);
  const prefix = basename(temporaryPrefix(file));
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    const modifiedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (modifiedAt !== void 0 && isLeft(modifiedAt)) rmSync(path, { force: true });
  }
}
function temporaryPrefix(file) {
  return `${file}.tmp-`;
}
export {
  removeTemporaryFiles,
  writePrivateFile
};
