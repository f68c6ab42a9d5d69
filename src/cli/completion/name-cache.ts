// Caches names of records for completion, in private files per service, login, user and kind.
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { configFolder } from '../../core/config-folder.js';
import { hashedName } from '../../core/hashed-name.js';
import { isObject } from '../../core/json.js';
import { makeFolder, writePrivateFile } from '../../core/private-file.js';
import type { Env } from '../io/child-env.js';
import type { Candidate } from './candidate.js';

/** Maximum age of names that are used without a request. */
export const NAMES_FRESH_MS = 300_000;

/** The cache key. */
export interface NamesOwner {
  readonly baseUrl: string;
  readonly username: string;
  /** The selected user; null for the only one. */
  readonly user: string | null;
}

interface CachedNames {
  /** Time of reading, in milliseconds. */
  readonly at: number;
  readonly names: readonly Candidate[];
}

/** Returns the folder: below FLEET_CONFIG_DIR if set, else the cache folder of the system. */
export function namesFolder(env: Env, platform: NodeJS.Platform = process.platform, home: string = homedir()): string {
  if (env.FLEET_CONFIG_DIR) return join(configFolder(env), 'names');
  return join(userCacheFolder(env, platform, home), 'fleet-telematics', 'names');
}

function userCacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }: Env, platform: NodeJS.Platform, home: string): string {
  if (platform === 'win32') return LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  return XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home, '.cache');
}

/** Returns the cached names; null when missing, or when other users could have written them. */
export function readNames(folder: string, owner: NamesOwner, kind: string): CachedNames | null {
  try {
    const file = fileOf(folder, owner, kind);
    const { uid, mode } = statSync(file);
    const isForeign = process.getuid !== undefined && uid !== process.getuid();
    if (process.platform !== 'win32' && (isForeign || (mode & 0o077) !== 0)) return null;
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(content) || typeof content.at !== 'number' || !Array.isArray(content.names)) return null;
    return { at: content.at, names: content.names.filter(isCandidate) };
  } catch {
    // Missing or damaged files are read again from the service.
    return null;
  }
}

/** Saves the names. Errors are ignored: the next Tab requests them again. */
export function saveNames(folder: string, owner: NamesOwner, kind: string, cached: CachedNames): void {
  const file = fileOf(folder, owner, kind);
  try {
    makeFolder(folder);
    chmodSync(folder, 0o700);
    writePrivateFile(file, JSON.stringify(cached));
  } catch {
    // The cache is optional.
  }
}

/** Deletes all cached names, for `logout`. */
export function forgetNames(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function fileOf(folder: string, { baseUrl, username, user }: NamesOwner, kind: string): string {
  return join(folder, `${hashedName(JSON.stringify([baseUrl, username, user, kind]))}.json`);
}

function isCandidate(value: unknown): value is Candidate {
  return isObject(value) && typeof value.value === 'string' && typeof value.about === 'string';
}
