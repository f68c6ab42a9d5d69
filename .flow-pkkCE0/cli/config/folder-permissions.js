import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../errors/cli-error.js";
function currentUid() {
  return process.getuid?.() ?? null;
}
function guardFolder(folder, warn, uid = currentUid()) {
  const own = statOf(folder);
  if (process.platform === "win32" || own === null) return;
  if (!own.isDirectory()) {
    throw new CliError("CONFIGURATION", `The configuration folder ${folder} is not a folder.`, {
      hint: "Set FLEET_CONFIG_DIR to a folder, or unset it."
    });
  }
  if (uid !== null) {
    for (const path of [folder, join(folder, "config.json"), join(folder, "sessions"), join(folder, "turns")]) {
      const owner = (path === folder ? own : statOf(path))?.uid;
      if (owner !== void 0 && owner !== uid && owner !== 0) throw ownedByAnother(path);
    }
  }
  removeWriteAccess(folder, own, warn, uid);
}
function ownedByAnother(path) {
  return new CliError(
    "CONFIGURATION",
    `${path} belongs to another user of this machine, who could read or change it.`,
    {
      hint: "Set FLEET_CONFIG_DIR to a folder of your own, or become the owner of this one with chown."
    }
  );
}
const WRITABLE_BY_OTHERS = 18;
const STICKY = 512;
function removeWriteAccess(folder, { mode, uid: owner }, warn, uid) {
  if ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0 || uid !== null && owner !== uid) return;
  try {
    chmodSync(folder, mode & 4095 & ~WRITABLE_BY_OTHERS);
    warn(`Other users could write to ${folder}; now only you can.`);
  } catch {
    warn(`Other users can write to ${folder}, and its access rights could not be changed.`);
  }
}
function statOf(path) {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
export {
  guardFolder
};
