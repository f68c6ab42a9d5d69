// Changes config.json: one command at a time, so that two logins at once lose no profile, and with everything kept that the change
// is not about. This is the only place that loads conf, which is slow to start.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLease, type Lease } from '../../locks/lease.js';
import { CliError } from '../errors/cli-error.js';
import { type Config, configPath, isRecord, type Profile, readConfig } from './config-file.js';
import { copyAside } from './corrupt-file-backup.js';
import { codeOf } from './file-error.js';

/** Keeps the profile under its name. The first one becomes the one used by default. */
export function saveProfile(folder: string, name: string, profile: Profile, signal?: AbortSignal): Promise<void> {
  return edit(folder, signal, (config) => {
    // Whatever could not be read of it may be wanted again.
    if (config.damaged.has(name)) copyAside(configPath(folder));
    const isFirst = config.profiles.size + config.damaged.size === 0;
    return { profile: isFirst ? name : config.profile, profiles: { ...profilesIn(config), [name]: profile } };
  });
}

/** Lets commands that name no profile use this one. */
export function chooseProfile(folder: string, name: string, signal?: AbortSignal): Promise<void> {
  return edit(folder, signal, (config) => ({ profile: name, profiles: profilesIn(config) }));
}

/** Forgets a profile. When it was the one in use and one other is left, that one is used from now on; gives the name in use. */
export async function removeProfile(folder: string, name: string, signal?: AbortSignal): Promise<string> {
  let used = name;
  await edit(folder, signal, (config) => {
    const { [name]: _removed, ...profiles } = profilesIn(config);
    const [only, ...others] = Object.keys(profiles);
    used = config.profile;
    if (used === name) used = only !== undefined && others.length === 0 ? only : 'default';
    return { profile: used, profiles };
  });
  return used;
}

function profilesIn({ written }: Config): Readonly<Record<string, unknown>> {
  return isRecord(written.profiles) ? written.profiles : {};
}

type Changed = Readonly<{ profile: string; profiles: Readonly<Record<string, unknown>> }>;

async function edit(
  folder: string,
  signal: AbortSignal | undefined,
  change: (config: Config) => Changed,
): Promise<void> {
  let lease: Lease | null = null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    lease = await acquireLease(join(folder, 'config.lock'), { signal });
    // Read only now: another command may have changed it. A damaged file is put aside before conf meets it.
    const config = readConfig(folder, () => undefined);
    const { default: Conf } = await import('conf');
    const file = new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
    });
    file.store = { ...config.written, ...change(config) };
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof CliError || code === undefined || signal?.aborted) throw error;
    throw new CliError('CONFIGURATION', `The configuration ${configPath(folder)} cannot be written (${code}).`, {
      hint: 'Mend the access rights of its folder, or set FLEET_CONFIG_DIR to a folder of your own.',
      cause: error,
    });
  } finally {
    lease?.release();
  }
}
