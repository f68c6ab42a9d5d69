// The token store in the user's config folder, with one file per login. Sessions outlive the
// process and are shared by all processes of the machine.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import { errorCode } from '../core/error-code.js';
import { TokenStoreError } from '../core/errors.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { makeFolder, removeTemporaryFiles, restrictToOwner, writePrivateFile } from '../core/private-file.js';
import { quietly } from '../core/safe-read.js';
import { acquireLeaseUnless } from '../locks/lease.js';
import { memoryTokenStore } from './memory-token-store.js';
import { type LockOptions, parseStoredSession, type StoredSession, type TokenStore } from './token-store.js';

export interface FileTokenStoreOptions {
  /** The config folder, which contains the `sessions` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Called when a file that others could read was protected, or a corrupt file was renamed. */
  readonly onWarning?: ((event: Warning) => void) | undefined;
}

type Warn = (code: Warning['code'], message: string) => void;

/** Returns the store. Only the owner may read its files (0600; on Windows: the folder's rights). */
export function fileTokenStore({ directory = configFolder(), onWarning }: FileTokenStoreOptions = {}): TokenStore {
  const folder = join(directory, 'sessions');
  const warning = quietly(onWarning);
  const warn: Warn = (code, message) => warning({ code, message });
  // Calls of this process queue here first, so that only one of them waits for the lease.
  const inProcess = memoryTokenStore();

  const fileOf = (key: string) => join(folder, `${hashedName(key)}.json`);

  const load = (file: string) => loadFrom(folder, file, warn);

  return {
    async load(key) {
      const stored = load(fileOf(key));
      return stored?.key === key ? stored.session : null;
    },
    async save(key, session) {
      makeFolder(folder);
      restrictToOwner(folder, 0o700);
      // Renames a corrupt file, which would be overwritten.
      load(fileOf(key));
      writePrivateFile(fileOf(key), `${JSON.stringify({ key, ...session }, null, '\t')}\n`);
    },
    async clear(key, ifCurrent) {
      const file = fileOf(key);
      if (ifCurrent !== undefined && load(file)?.session.accessToken !== ifCurrent) return;
      try {
        rmSync(file, { force: true });
        removeTemporaryFiles(file);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    withLock<T>(key: string, task: () => Promise<T>, { signal, outcomeOfOthers }: LockOptions<T> = {}) {
      const lock = join(folder, `${hashedName(key)}.lock`);
      return inProcess.withLock(key, () => underLease(lock, task, { signal, outcomeOfOthers }), { signal });
    },
    async keys() {
      let files: string[];
      try {
        files = readdirSync(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
      return files
        .filter((file) => file.endsWith('.json'))
        .flatMap((file) => {
          const stored = load(join(folder, file));
          return stored ? [stored.key] : [];
        });
    },
  };
}

interface StoredFile {
  readonly key: string;
  readonly session: StoredSession;
}

/** Returns the content of a session file; null for a missing or corrupt one. */
function loadFrom(folder: string, file: string, warn: Warn): StoredFile | null {
  let text: string;
  try {
    refuseSpecialFile(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  restrictToOwner(folder, 0o700);
  if (restrictToOwner(file, 0o600)) {
    warn(
      'SESSION_FILE_MODE',
      `Other users of this machine could read the session file ${file}. It is now readable for its owner only (0600); consider logging in again.`,
    );
  }
  const stored = parse(text);
  if (stored) return stored;
  // Renamed to a unique name and not deleted, for diagnosis.
  const backup = `${file}.corrupt-${randomUUID()}`;
  try {
    renameSync(file, backup);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  warn(
    'SESSION_FILE_CORRUPT',
    `The session file ${file} was damaged and has been renamed to ${backup}. A new login is needed.`,
  );
  return null;
}

/** Runs the task under the lease, unless another process has done its work. */
async function underLease<T>(path: string, task: () => Promise<T>, { signal, outcomeOfOthers }: LockOptions<T>) {
  const found = async () => {
    const outcome = (await outcomeOfOthers?.()) ?? null;
    return outcome === null ? null : { outcome };
  };
  const lease = await acquireLeaseUnless(path, found, { signal });
  if ('outcome' in lease) return lease.outcome;
  try {
    return await task();
  } finally {
    lease.release();
  }
}

function parse(text: string): StoredFile | null {
  try {
    const value: unknown = JSON.parse(text);
    const session = parseStoredSession(value);
    const key: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : null;
    return session && typeof key === 'string' ? { key, session } : null;
  } catch {
    return null;
  }
}

/** Throws for a pipe or a device: reading it would never end. */
function refuseSpecialFile(file: string): void {
  const stats = statSync(file);
  if (stats.isFile() || stats.isDirectory()) return;
  throw new TokenStoreError(
    `The session file ${file} is no ordinary file but a pipe, a socket or a device. Remove it, then log in again.`,
  );
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
