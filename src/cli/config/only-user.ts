// Remembers the only user of a login that no profile keeps one for, so that not every command has to ask who that is. Holds as long
// as the access token it was learned with: whoever changes the users of a login is heeded within minutes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionInfo } from '../../index.js';
import { isRecord } from './config-file.js';

/** One login at one service. */
export interface Login {
  readonly folder: string;
  readonly baseUrl: string;
  readonly username: string;
}

/** The userId; null when it is not known for this session. */
export function readOnlyUser(login: Login, session: SessionInfo | null): string | null {
  if (session === null) return null;
  try {
    const kept: unknown = JSON.parse(readFileSync(fileOf(login), 'utf8'));
    if (!isRecord(kept) || kept.login !== nameOf(login)) return null;
    if (kept.token !== session.accessExpiresAt.toISOString()) return null;
    return typeof kept.userId === 'string' ? kept.userId : null;
  } catch {
    // Not there, or no longer readable: it is asked for.
    return null;
  }
}

/** What cannot be kept is asked for again next time. */
export function keepOnlyUser(login: Login, session: SessionInfo, userId: string): void {
  const file = fileOf(login);
  const kept = { login: nameOf(login), token: session.accessExpiresAt.toISOString(), userId };
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(join(login.folder, 'sessions'), { recursive: true, mode: 0o700 });
    writeFileSync(written, JSON.stringify(kept), { flag: 'wx', mode: 0o600 });
    renameSync(written, file);
  } catch {
    rmSync(written, { force: true });
  }
}

export function forgetOnlyUser(login: Login): void {
  rmSync(fileOf(login), { force: true });
}

function nameOf({ baseUrl, username }: Login): string {
  return `${baseUrl} ${username}`;
}

function fileOf(login: Login): string {
  const name = createHash('sha256').update(nameOf(login)).digest('hex').slice(0, 32);
  return join(login.folder, 'sessions', `${name}.user`);
}
