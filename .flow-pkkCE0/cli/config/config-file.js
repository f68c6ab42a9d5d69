import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../core/error-code.js";
import { isObject } from "../../core/json.js";
import { jsonSlip, lineAndColumn } from "../../core/json-slip.js";
import { CliError } from "../errors/cli-error.js";
const CREDENTIAL_COMMAND = "credential-command";
function configPath(folder) {
  return join(folder, "config.json");
}
function readConfigFile(folder, warn) {
  return checkedConfig(folder, warn, (path) => deserialize(readFileSync(path, "utf8")));
}
function checkedConfig(folder, warn, read) {
  const path = configPath(folder);
  let config;
  try {
    config = parseConfig(read(path));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return { profile: "default", profiles: /* @__PURE__ */ new Map(), corruptProfiles: /* @__PURE__ */ new Set(), content: {} };
    if (error instanceof SyntaxError) throw corrupt(path);
    throw new CliError("CONFIGURATION", `The configuration ${path} cannot be read (${code ?? "unknown reason"}).`, {
      hint: "Correct its access rights, or set FLEET_CONFIG_DIR to a folder of your own.",
      cause: error
    });
  }
  if (config === null) throw corrupt(path);
  repairAccessRights(path, warn);
  return config;
}
function deserialize(text) {
  const content = JSON.parse(text);
  if (isObject(content) && parseConfig(content) !== null) return content;
  throw new SyntaxError("not a configuration");
}
function corrupt(path) {
  const slip = slipIn(path);
  const where = slip === null ? "is not a configuration" : `has a slip in line ${slip.line}, column ${slip.column}`;
  return new CliError("CONFIGURATION", `The configuration ${path} ${where}.`, {
    hint: "Correct the file, which is left as it is; or move it away and start again with `fleet login`."
  });
}
function slipIn(path) {
  try {
    const text = readFileSync(path, "utf8");
    const slip = jsonSlip(text);
    return slip && lineAndColumn(text, slip.at);
  } catch {
    return null;
  }
}
function repairAccessRights(path, warn) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (process.platform === "win32" || !file?.isFile() || (file.mode & 63) === 0) return;
  try {
    chmodSync(path, 384);
    warn(`Other users could read ${path}; now only you can (0600).`);
  } catch {
    warn(`Other users can read ${path}, and its access rights could not be changed.`);
  }
}
function parseConfig(content) {
  if (!isObject(content)) return null;
  const { profile = "default", profiles = {} } = content;
  if (typeof profile !== "string" || !isObject(profiles)) return null;
  const readable = /* @__PURE__ */ new Map();
  const corruptProfiles = /* @__PURE__ */ new Set();
  for (const [name, entry] of Object.entries(profiles)) {
    const parsed = parseProfile(entry);
    if (parsed === null) corruptProfiles.add(name);
    else readable.set(name, parsed);
  }
  return { profile, profiles: readable, corruptProfiles, content };
}
function parseProfile(value) {
  if (!isObject(value)) return null;
  const { baseUrl = null, username = null, user = null, [CREDENTIAL_COMMAND]: credentialCommand = null } = value;
  if (!isText(baseUrl) || !isText(username) || !isText(credentialCommand)) return null;
  if (user === null) return { baseUrl, username, user, credentialCommand };
  if (!isObject(user)) return null;
  const { userId, userName = null, fleetName = null } = user;
  if (typeof userId !== "string" || !isText(userName) || !isText(fleetName)) return null;
  return { baseUrl, username, user: { userId, userName, fleetName }, credentialCommand };
}
function contentOf({ credentialCommand, ...profile }) {
  return { ...profile, ...credentialCommand === null ? {} : { [CREDENTIAL_COMMAND]: credentialCommand } };
}
function isText(value) {
  return value === null || typeof value === "string";
}
export {
  checkedConfig,
  configPath,
  contentOf,
  deserialize,
  parseConfig,
  readConfigFile
};
