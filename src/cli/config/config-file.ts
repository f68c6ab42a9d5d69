// Reads config.json: what is kept between runs apart from tokens. A file that cannot be read is put aside, never
// overwritten; of one in which only a profile is damaged, the others are read.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors/cli-error.js';
import { moveAside } from './corrupt-file-backup.js';
import { codeOf } from './file-error.js';

/** A user chosen with `fleet users use`, with the names it had then. */
export interface KeptUser {
  readonly userId: string;
  readonly userName: string | null;
  readonly fleetName: string | null;
}

export interface Profile {
  readonly baseUrl: string | null;
  readonly username: string | null;
  readonly user: KeptUser | null;
}

export interface Config {
  /** The profile that is used when none is named. */
  readonly profile: string;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Names of those that are there and cannot be read. */
  readonly damaged: ReadonlySet<string>;
  /** As it is written, with what this version knows nothing of. */
  readonly written: Readonly<Record<string, unknown>>;
}

export function configPath(folder: string): string {
  return join(folder, 'config.json');
}

/** An absent file is an empty configuration. `warn` hears of access rights that had to be repaired. */
export function readConfig(folder: string, warn: (line: string) => void): Config {
  const path = configPath(folder);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { profile: 'default', profiles: new Map(), damaged: new Set(), written: {} };
    throw new CliError('CONFIGURATION', `The configuration ${path} cannot be read (${code ?? 'unknown reason'}).`, {
      hint: 'Mend its access rights, or set FLEET_CONFIG_DIR to a folder of your own.',
      cause: error,
    });
  }
  const config = parseConfig(text);
  if (config === null) throw putAside(path);
  repairMode(path, warn);
  return config;
}

function putAside(path: string): CliError {
  let backup: string;
  try {
    backup = moveAside(path);
  } catch (error) {
    return new CliError('CONFIGURATION', `The configuration ${path} is damaged and could not be put aside.`, {
      hint: 'Move it away or mend it, then run the command again.',
      cause: error,
    });
  }
  return new CliError('CONFIGURATION', `The configuration was damaged. It has been put aside as ${backup}.`, {
    hint: 'Mend that file and move it back to config.json, or start anew with `fleet login`.',
  });
}

function repairMode(path: string, warn: (line: string) => void): void {
  const file = statSync(path);
  // A link to /dev/null is nobody's to close.
  if (process.platform === 'win32' || !file.isFile() || (file.mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
    warn(`${path} could be read by others; it is now yours alone (0600).`);
  } catch {
    warn(`${path} can be read by others, and its access rights could not be changed.`);
  }
}

/** Null when the text is no configuration. */
export function parseConfig(text: string): Config | null {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(written)) return null;
  const { profile = 'default', profiles = {} } = written;
  if (typeof profile !== 'string' || !isRecord(profiles)) return null;
  const read = new Map<string, Profile>();
  const damaged = new Set<string>();
  for (const [name, entry] of Object.entries(profiles)) {
    const parsed = parseProfile(entry);
    if (parsed === null) damaged.add(name);
    else read.set(name, parsed);
  }
  return { profile, profiles: read, damaged, written };
}

function parseProfile(value: unknown): Profile | null {
  if (!isRecord(value)) return null;
  const { baseUrl = null, username = null, user = null } = value;
  if (!isText(baseUrl) || !isText(username)) return null;
  if (user === null) return { baseUrl, username, user };
  if (!isRecord(user)) return null;
  const { userId, userName = null, fleetName = null } = user;
  if (typeof userId !== 'string' || !isText(userName) || !isText(fleetName)) return null;
  return { baseUrl, username, user: { userId, userName, fleetName } };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
