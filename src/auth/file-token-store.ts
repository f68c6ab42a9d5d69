// Sessions in files of the user's config folder, one file a login: they outlive the process, and the processes of the machine
// share them. Read with node:fs, because reading happens on every start and loading conf is slow; written with conf.
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import type { WarningEvent } from '../core/hooks.js';
import { acquireLease } from '../locks/lease.js';
import { memoryTokenStore } from './memory-token-store.js';
import { parseStoredSession, type StoredSession, type TokenStore } from './token-store.js';

export interface FileTokenStoreOptions {
  /** The config folder; sessions are kept in its `sessions` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Told when a file was readable for others and repaired, or was damaged and set aside. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** A token store in files that only their owner may read (mode 0600; on Windows the folder's own protection). */
export function fileTokenStore({ directory = configFolder(), onWarning }: FileTokenStoreOptions = {}): TokenStore {
  const folder = join(directory, 'sessions');
  const warn = (code: WarningEvent['code'], message: string) => onWarning?.({ code, message });
  // Calls of this process take turns among themselves, so that only one of them asks for the lease.
  const inProcess = memoryTokenStore();

  const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);
  const fileOf = (key: string) => join(folder, `${nameOf(key)}.json`);

  const load = (file: string): { key: string; session: StoredSession } | null => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    if (narrow(file)) {
      warn(
        'SESSION_FILE_MODE',
        `Others could read the session file ${file}. It is now its owner's alone (0600); consider logging in again.`,
      );
    }
    const kept = parse(text);
    if (kept) return kept;
    // Kept aside and not deleted: a look at it may explain what happened. Nor does it replace what was set aside before.
    const backup = `${file}.corrupt-${randomUUID()}`;
    try {
      renameSync(file, backup);
    } catch (error) {
      // Another process was quicker.
      if (isMissing(error)) return null;
      throw error;
    }
    warn(
      'SESSION_FILE_CORRUPT',
      `The session file ${file} was damaged and has been renamed to ${backup}. A new login is needed.`,
    );
    return null;
  };

  const store: TokenStore = {
    async load(key) {
      const kept = load(fileOf(key));
      return kept?.key === key ? kept.session : null;
    },
    async save(key, session) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A damaged file would make conf throw; loading sets it aside.
      load(fileOf(key));
      const { default: Conf } = await import('conf');
      const conf = new Conf<Record<string, unknown>>({
        cwd: folder,
        configName: nameOf(key),
        fileExtension: 'json',
        projectSuffix: '',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      conf.store = { key, ...session };
      narrow(conf.path);
    },
    async clear(key, ifCurrent) {
      const file = fileOf(key);
      if (ifCurrent !== undefined && load(file)?.session.accessToken !== ifCurrent) return;
      try {
        rmSync(file, { force: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    withLock(key, task) {
      return inProcess.withLock(key, async () => {
        const lease = await acquireLease(join(folder, `${nameOf(key)}.lock`));
        try {
          return await task();
        } finally {
          lease.release();
        }
      });
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
          const kept = load(join(folder, file));
          return kept ? [kept.key] : [];
        });
    },
  };
  return store;
}

function parse(text: string): { key: string; session: StoredSession } | null {
  try {
    const value: unknown = JSON.parse(text);
    const session = parseStoredSession(value);
    const key: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : null;
    return session && typeof key === 'string' ? { key, session } : null;
  } catch {
    return null;
  }
}

/** Takes the file's permissions back to its owner; says whether that was needed. Windows has no such modes. */
function narrow(file: string): boolean {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return false;
  chmodSync(file, 0o600);
  return true;
}

function isMissing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}
