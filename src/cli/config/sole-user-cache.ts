// Caches the user of a login that has only one user, so that not every command requests the list of users. An entry is valid as long as
// the access token it was read with, so a change of the users takes effect within minutes.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashedName } from '../../core/hashed-name.js';
import { isObject } from '../../core/json.js';
import { makeFolder } from '../../core/make-folder.js';
import { writePrivateFile } from '../../core/private-file.js';
import type { SessionInfo } from '../../index.js';

/** One login at one service. */
export interface CachedLogin {
  readonly folder: string;
  readonly baseUrl: string;
  readonly username: string;
}

/** The userId; null when none is cached for this session. */
export function readSoleUser(login: CachedLogin, session: SessionInfo | null): string | null {
  if (session === null) return null;
  try {
    const cached: unknown = JSON.parse(readFileSync(fileOf(login), 'utf8'));
    if (!isObject(cached) || cached.login !== nameOf(login)) return null;
    if (cached.token !== session.accessExpiresAt.toISOString()) return null;
    return typeof cached.userId === 'string' ? cached.userId : null;
  } catch {
    // Missing or unreadable: the command requests the users.
    return null;
  }
}

/** When saving fails, the next command requests the users again. */
export function saveSoleUser(login: CachedLogin, session: SessionInfo, userId: string): void {
  const file = fileOf(login);
  const entry = { login: nameOf(login), token: session.accessExpiresAt.toISOString(), userId };
  try {
    makeFolder(join(login.folder, 'sessions'));
    writePrivateFile(file, JSON.stringify(entry));
  } catch {
    // As said above.
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
