// Changes config.json through conf, under a lock, so that two logins at once lose no profile. Other
// commands use readConfigFile, because conf loads slowly.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Conf from 'conf';
import { errorCode } from '../../core/error-code.js';
import { isObject } from '../../core/json.js';
import { copyToBackup, makeFolder } from '../../core/private-file.js';
import { acquireLease, type Lease } from '../../locks/lease.js';
import { CliError } from '../errors/cli-error.js';
import {
  type Config,
  checkedConfig,
  configPath,
  contentOf,
  deserialize,
  type Profile,
  readConfigFile,
} from './config-file.js';

type Store = Conf<Record<string, unknown>>;

async function loadConf(): Promise<(folder: string) => Store> {
  const { default: ConfClass } = await import('conf');
  return (folder) =>
    new ConfClass<Record<string, unknown>>({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      deserialize,
    });
}

/** Reads the configuration. `warn` gets a line when access rights were repaired. */
export async function readConfig(folder: string, warn: (line: string) => void): Promise<Config> {
  // conf creates a missing folder, which a read-only command must not do.
  if (!existsSync(configPath(folder))) return readConfigFile(folder, warn);
  const openStore = await loadConf();
  return checkedConfig(folder, warn, () => openStore(folder).store);
}

/** Saves the profile under its name. The first profile becomes the default one. */
export function saveProfile(folder: string, name: string, profile: Profile, signal?: AbortSignal): Promise<void> {
  return edit(folder, signal, (config) => {
    // The corrupt profile is replaced; the backup keeps its content.
    if (config.corruptProfiles.has(name)) copyToBackup(configPath(folder));
    const isFirst = config.profiles.size + config.corruptProfiles.size === 0;
    return {
      profile: isFirst ? name : config.profile,
      profiles: { ...profilesIn(config), [name]: contentOf(profile) },
    };
  });
}

export function setDefaultProfile(folder: string, name: string, signal?: AbortSignal): Promise<void> {
  return edit(folder, signal, (config) => ({ profile: name, profiles: profilesIn(config) }));
}

/** Removes a profile and returns the default one, which is the only remaining one if any. */
export async function removeProfile(folder: string, name: string, signal?: AbortSignal): Promise<string> {
  let defaultProfile = name;
  await edit(folder, signal, (config) => {
    const { [name]: _removed, ...profiles } = profilesIn(config);
    const [only, ...others] = Object.keys(profiles);
    defaultProfile = config.profile;
    if (defaultProfile === name) defaultProfile = only !== undefined && others.length === 0 ? only : 'default';
    return { profile: defaultProfile, profiles };
  });
  return defaultProfile;
}

function profilesIn({ content }: Config): Readonly<Record<string, unknown>> {
  return isObject(content.profiles) ? content.profiles : {};
}

type Changes = Readonly<{ profile: string; profiles: Readonly<Record<string, unknown>> }>;

async function edit(
  folder: string,
  signal: AbortSignal | undefined,
  change: (config: Config) => Changes,
): Promise<void> {
  let lease: Lease | null = null;
  try {
    makeFolder(folder);
    lease = await acquireLease(join(folder, 'config.lock'), { signal });
    const openStore = await loadConf();
    // Read after the lock was acquired, because another command may have changed the file.
    let store: Store | undefined;
    const config = checkedConfig(
      folder,
      () => undefined,
      () => {
        store = openStore(folder);
        return store.store;
      },
    );
    if (store) store.store = { ...config.content, ...change(config) };
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof CliError || code === undefined || signal?.aborted) throw error;
    throw new CliError('CONFIGURATION', `The configuration ${configPath(folder)} cannot be written (${code}).`, {
      hint: 'Correct the access rights of its folder, or set FLEET_CONFIG_DIR to a folder of your own.',
      cause: error,
    });
  } finally {
    lease?.release();
  }
}
