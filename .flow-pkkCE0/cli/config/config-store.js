import { existsSync } from "node:fs";
import { join } from "node:path";
import { copyToBackup } from "../../core/corrupt-file-backup.js";
import { errorCode } from "../../core/error-code.js";
import { isObject } from "../../core/json.js";
import { makeFolder } from "../../core/make-folder.js";
import { acquireLease } from "../../locks/lease.js";
import { CliError } from "../errors/cli-error.js";
import {
  checkedConfig,
  configPath,
  contentOf,
  deserialize,
  readConfigFile
} from "./config-file.js";
async function loadConf() {
  const { default: ConfClass } = await import("conf");
  return (folder) => new ConfClass({
    cwd: folder,
    configName: "config",
    configFileMode: 384,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    deserialize
  });
}
async function readConfig(folder, warn) {
  if (!existsSync(configPath(folder))) return readConfigFile(folder, warn);
  const openStore = await loadConf();
  return checkedConfig(folder, warn, () => openStore(folder).store);
}
function saveProfile(folder, name, profile, signal) {
  return edit(folder, signal, (config) => {
    if (config.corruptProfiles.has(name)) copyToBackup(configPath(folder));
    const isFirst = config.profiles.size + config.corruptProfiles.size === 0;
    return {
      profile: isFirst ? name : config.profile,
      profiles: { ...profilesIn(config), [name]: contentOf(profile) }
    };
  });
}
function setDefaultProfile(folder, name, signal) {
  return edit(folder, signal, (config) => ({ profile: name, profiles: profilesIn(config) }));
}
async function removeProfile(folder, name, signal) {
  let defaultProfile = name;
  await edit(folder, signal, (config) => {
    const { [name]: _removed, ...profiles } = profilesIn(config);
    const [only, ...others] = Object.keys(profiles);
    defaultProfile = config.profile;
    if (defaultProfile === name) defaultProfile = only !== void 0 && others.length === 0 ? only : "default";
    return { profile: defaultProfile, profiles };
  });
  return defaultProfile;
}
function profilesIn({ content }) {
  return isObject(content.profiles) ? content.profiles : {};
}
async function edit(folder, signal, change) {
  let lease = null;
  try {
    makeFolder(folder);
    lease = await acquireLease(join(folder, "config.lock"), { signal });
    const openStore = await loadConf();
    let store;
    const config = checkedConfig(
      folder,
      () => void 0,
      () => {
        store = openStore(folder);
        return store.store;
      }
    );
    if (store) store.store = { ...config.content, ...change(config) };
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof CliError || code === void 0 || signal?.aborted) throw error;
    throw new CliError("CONFIGURATION", `The configuration ${configPath(folder)} cannot be written (${code}).`, {
      hint: "Correct the access rights of its folder, or set FLEET_CONFIG_DIR to a folder of your own.",
      cause: error
    });
  } finally {
    lease?.release();
  }
}
export {
  readConfig,
  removeProfile,
  saveProfile,
  setDefaultProfile
};
