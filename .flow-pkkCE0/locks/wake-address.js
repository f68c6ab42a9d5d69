import { randomUUID } from "node:crypto";
import { lstatSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
const MAX_PATH_BYTES = 103;
const SOCKET_NAME = /^[\da-f]{12}\.sock$/;
const TEMPORARY_FOLDER = /^fleet-turn-\w{6}$/;
function addressIn(folder, platform = process.platform) {
  const id = randomUUID();
  const key = randomUUID();
  if (platform === "win32") return { path: `\\\\.\\pipe\\fleet-turn-${id}`, key };
  const path = join(folder, `${id.slice(-12)}.sock`);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES ? { path, key } : null;
}
function temporaryAddress() {
  let folder;
  try {
    folder = mkdtempSync(join(tmpdir(), "fleet-turn-"));
  } catch {
    return null;
  }
  const address = addressIn(folder);
  if (address === null) removeFolder(folder);
  return address;
}
function removeSocket({ path }) {
  try {
    if (!SOCKET_NAME.test(basename(path))) return;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
    removeFolder(dirname(path));
  } catch {
  }
}
function removeFolder(folder) {
  if (!TEMPORARY_FOLDER.test(basename(folder))) return;
  try {
    rmdirSync(folder);
  } catch {
  }
}
function parseAddress(value) {
  if (typeof value !== "object" || value === null) return null;
  const path = Reflect.get(value, "path");
  const key = Reflect.get(value, "key");
  return typeof path === "string" && typeof key === "string" ? { path, key } : null;
}
export {
  addressIn,
  parseAddress,
  removeSocket,
  temporaryAddress
};
