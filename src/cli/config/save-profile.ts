// Writes one profile into config.json. This is the only place that loads conf, which is slow to start.
import { mkdirSync } from 'node:fs';
import Conf from 'conf';
import { CliError } from '../cli-error.js';
import { codeOf, configPath, type Profile, readConfig } from './config-file.js';

/** Keeps the profile under its name, and every other profile as it is. The first one becomes the one used by default. */
export function saveProfile(folder: string, name: string, profile: Profile): void {
  try {
    save(folder, name, profile);
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof CliError || code === undefined) throw error;
    throw new CliError('CONFIGURATION', `The configuration ${configPath(folder)} cannot be written (${code}).`, {
      hint: 'Mend the access rights of its folder, or set FLEET_CONFIG_DIR to a folder of your own.',
      cause: error,
    });
  }
}

function save(folder: string, name: string, profile: Profile): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Puts a damaged file aside before conf meets it.
  const before = readConfig(folder, () => undefined);
  const file = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: 'config',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
  });
  const profiles = { ...Object.fromEntries(before.profiles), [name]: profile };
  file.set({ profile: before.profiles.size === 0 ? name : before.profile, profiles });
}
