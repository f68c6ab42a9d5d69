// The folder for a user's files: sessions, and the lease files of this machine.
import { homedir } from 'node:os';
import path from 'node:path';

const NAME = 'fleet-telematics';

/**
 * Returns FLEET_CONFIG_DIR when set; otherwise the folder of the platform, which may not exist yet:
 * - `$XDG_CONFIG_HOME/fleet-telematics` (`~/.config` by default) on Linux and other Unix systems
 * - `~/Library/Preferences/fleet-telematics` on macOS
 * - `%APPDATA%\fleet-telematics` on Windows
 *
 * @param env the environment to read; the process's own by default.
 */
export function configFolder(
  env: { readonly [name: string]: string | undefined } = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const { join, isAbsolute, resolve } = platform === 'win32' ? path.win32 : path.posix;
  if (env.FLEET_CONFIG_DIR) return resolve(env.FLEET_CONFIG_DIR);
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), NAME);
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', NAME);
  // The XDG specification says to ignore a relative path.
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.config'), NAME);
}
