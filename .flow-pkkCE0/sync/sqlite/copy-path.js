import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SyncTargetError } from "fleet-telematics/kit";
import { sqliteError } from "./sqlite-error.js";
function copyPath(path, name) {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there !== void 0 && !there.isFile()) {
      throw new SyncTargetError(
        "INVALID",
        `${name} is ${kindOf(there)}, not a file. Nothing was changed.`,
        "Name a file that does not exist yet."
      );
    }
    if (there !== void 0) return realpathSync(path);
    if (lstatSync(path, { throwIfNoEntry: false }) !== void 0) {
      throw new SyncTargetError(
        "INVALID",
        `${name} is a link to a file that does not exist. Nothing was changed.`,
        "Name the file itself, or remove the link."
      );
    }
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw sqliteError(error, name);
  }
}
function kindOf(there) {
  if (there.isDirectory()) return "a folder";
  if (there.isFIFO()) return "a named pipe";
  return there.isSocket() ? "a socket" : "a device";
}
export {
  copyPath
};
