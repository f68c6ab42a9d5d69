// Caches the user of a login that has only one. An entry expires with its access token, so that
// changes of the users take effect within minutes.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashedName } from '../../core/hashed-name.js';
import { isObject } from '../../core/json.js';
import { makeFolder, writePrivateFile } from '../../core/private-file.js';
import type { SessionInfo } from '../../index.js';

export interface CachedLogin {
  readonly folder: string;
  readonly baseUrl: string;
  readonly username: string;
}

/** Returns the userId; null when none is cached for this session. */
export function readSoleUser(login: CachedLogin, session: SessionInfo | null): string | null {
  if (session === null) return null;
  try {
    const cached: unknown = JSON.parse(readFileSync(fileOf(login), 'utf8'));
    if (!isObject(cached) || cached.login !== nameOf(login)) return null;
    if (cached.token !== session.accessExpiresAt.toISOString()) return null;
    return typeof cached.userId === 'string' ? cached.userId : null;
  } catch {
    // Missing or unreadable: request the users.
    return null;
  }
}

/** Saves the userId. Errors are ignored: the next command requests the users again. */
export function saveSoleUser(login: CachedLogin, session: SessionInfo, userId: string): void {
  const file = fileOf(login);
  const entry = { login: nameOf(login), token: session.accessExpiresAt.toISOString(), userId };
  try {
    makeFolder(join(login.folder, 'sessions'));
    writePrivateFile(file, JSON.stringify(entry));
  } catch {
    // The cache is optional.
  }
}

export function forgetSoleUser(login: CachedLogin): void {
  rmSync(fileOf(login), { force: true });
}

function nameOf({ baseUrl, username }: CachedLogin): string {
  return `${baseUrl} ${username}`;
}

function fileOf(login: CachedLogin): string {
  const name = hashedName(nameOf(login));
  return join(login.folder, 'sessions', `${name}.user`);
}
