import { chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { configFolder } from "../../core/config-folder.js";
import { hashedName } from "../../core/hashed-name.js";
import { isObject } from "../../core/json.js";
import { makeFolder } from "../../core/make-folder.js";
import { writePrivateFile } from "../../core/private-file.js";
const NAMES_FRESH_MS = 3e5;
function namesFolder(env, platform = process.platform, home = homedir()) {
  if (env.FLEET_CONFIG_DIR) return join(configFolder(env), "names");
  return join(userCacheFolder(env, platform, home), "fleet-telematics", "names");
}
function userCacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }, platform, home) {
  if (platform === "win32") return LOCALAPPDATA || join(home, "AppData", "Local");
  if (platform === "darwin") return join(home, "Library", "Caches");
  return XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home, ".cache");
}
function readNames(folder, owner, kind) {
  try {
    const file = fileOf(folder, owner, kind);
    const { uid, mode } = statSync(file);
    const isForeign = process.getuid !== void 0 && uid !== process.getuid();
    if (process.platform !== "win32" && (isForeign || (mode & 63) !== 0)) return null;
    const content = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(content) || typeof content.at !== "number" || !Array.isArray(content.names)) return null;
    return { at: content.at, names: content.names.filter(isCandidate) };
  } catch {
    return null;
  }
}
function saveNames(folder, owner, kind, cached) {
  const file = fileOf(folder, owner, kind);
  try {
    makeFolder(folder);
    chmodSync(folder, 448);
    writePrivateFile(file, JSON.stringify(cached));
  } catch {
  }
}
function forgetNames(folder) {
  rmSync(folder, { recursive: true, force: true });
}
function fileOf(folder, { baseUrl, username, user }, kind) {
  return join(folder, `${hashedName(JSON.stringify([baseUrl, username, user, kind]))}.json`);
}
function isCandidate(value) {
  return isObject(value) && typeof value.value === "string" && typeof value.about === "string";
}
export {
  NAMES_FRESH_MS,
  forgetNames,
  namesFolder,
  readNames,
  saveNames
};
