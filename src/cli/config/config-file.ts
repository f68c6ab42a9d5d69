// Reads config.json: what is kept between runs apart from tokens. A file that cannot be read is put aside, never
// overwritten, so that no profile is lost.
import { chmodSync, closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';

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
    if (code === 'ENOENT') return { profile: 'default', profiles: new Map() };
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
    backup = renameAside(path);
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

/** Renaming replaces what is there, so the name is taken first with an empty file, which fails where there is one. */
function renameAside(path: string): string {
  const stamped = `${path}.corrupt-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = stamped;
  for (let next = 2; !tookName(name); next++) name = `${stamped}-${next}`;
  try {
    renameSync(path, name);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
  return name;
}

function tookName(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function repairMode(path: string, warn: (line: string) => void): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
    warn(`${path} could be read by others; it is now yours alone (0600).`);
  } catch {
    warn(`${path} can be read by others, and its access rights could not be changed.`);
  }
}

/** Null when the text is no configuration. */
export function parseConfig(text: string): Config | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { profile = 'default', profiles = {} } = value;
  if (typeof profile !== 'string' || !isRecord(profiles)) return null;
  const read = new Map<string, Profile>();
  for (const [name, entry] of Object.entries(profiles)) {
    const parsed = parseProfile(entry);
    if (parsed === null) return null;
    read.set(name, parsed);
  }
  return { profile, profiles: read };
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

/** What the file system calls a failure; undefined when the failure is of another kind. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
