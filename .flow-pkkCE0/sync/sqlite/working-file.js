import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs";
import { SyncTargetError } from "fleet-telematics/kit";
const contents = ["-wal", "-journal"];
const companions = [...contents, "-shm"];
function sharedFile(file, settle) {
  const left = workingPath(file);
  if (isLeft(left, file)) {
    settle(left);
    replace(file, left);
  }
  const isNew = !existsSync(file);
  if (isNew) makePrivate(file);
  return {
    path: file,
    publish: () => void 0,
    discard: () => {
      if (isNew) remove(file);
    }
  };
}
function privateFile(file) {
  const path = workingPath(file);
  const isTakenUp = isLeft(path, file);
  rmSync(`${path}.lock`, { recursive: true, force: true });
  if (!isTakenUp) {
    remove(path);
    if (existsSync(file)) duplicate(file, path);
    else makePrivate(path);
  }
  return {
    path,
    publish() {
      if (!contents.some((end) => existsSync(`${path}${end}`))) replace(file, path);
    },
    discard: () => {
      if (!isTakenUp) remove(path);
    }
  };
}
function isLeft(path, file) {
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  for (const end of ["", ...companions]) {
    const found = lstatSync(`${path}${end}`, { throwIfNoEntry: false });
    const isOwn = found?.uid === process.getuid?.() || found?.uid === owner || process.platform === "win32";
    if (found === void 0 || found.isFile() && isOwn) continue;
    throw new SyncTargetError(
      "INVALID",
      `${path}${end} is a link, or belongs to another user: no sync of yours has left it. Nothing was changed.`,
      "Find out who has put it there, and remove it. Keep the copy in a folder to which only you can write."
    );
  }
  return existsSync(path);
}
function makePrivate(path) {
  closeSync(openSync(path, "wx", 384));
}
function duplicate(file, path) {
  for (const end of contents) {
    if (lstatSync(`${file}${end}`, { throwIfNoEntry: false })?.isFile() !== true) continue;
    copyFileSync(`${file}${end}`, `${path}${end}`, constants.COPYFILE_EXCL);
  }
  const part = `${path}.part`;
  rmSync(part, { force: true });
  copyFileSync(file, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  keepOwner(file, part);
  renameSync(part, path);
}
function keepOwner(file, part) {
  const { uid, gid, mode } = statSync(file);
  const made = statSync(part);
  if (uid === made.uid && gid === made.gid) return;
  try {
    chownSync(part, process.getuid?.() === 0 ? uid : made.uid, gid);
    chmodSync(part, mode);
  } catch {
    chmodSync(part, mode & 455);
  }
}
function replace(file, by) {
  for (const end of companions) rmSync(`${file}${end}`, { force: true });
  renameSync(by, file);
}
function remove(path) {
  for (const end of ["", ...companions]) rmSync(`${path}${end}`, { force: true });
}
function isWholeFile(file) {
  if (contents.some((end) => existsSync(`${file}${end}`))) return false;
  const opened = openSync(file, "r");
  try {
    const versions = Buffer.alloc(2);
    readSync(opened, versions, 0, 2, 18);
    return !versions.includes(2);
  } finally {
    closeSync(opened);
  }
}
function workingPath(file) {
  return `${file}.new`;
}
export {
  isWholeFile,
  privateFile,
  sharedFile
};
