import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { configFolder } from "../core/config-folder.js";
import { errorCode } from "../core/error-code.js";
import { TokenStoreError } from "../core/errors.js";
import { hashedName } from "../core/hashed-name.js";
import { makeFolder } from "../core/make-folder.js";
import { restrictToOwner } from "../core/owner-only.js";
import { removeTemporaryFiles, writePrivateFile } from "../core/private-file.js";
import { quietly } from "../core/quietly.js";
import { acquireLeaseUnless } from "../locks/lease.js";
import { memoryTokenStore } from "./memory-token-store.js";
import { parseStoredSession } from "./token-store.js";
function fileTokenStore({ directory = configFolder(), onWarning } = {}) {
  const folder = join(directory, "sessions");
  const warning = quietly(onWarning);
  const warn = (code, message) => warning({ code, message });
  const inProcess = memoryTokenStore();
  const fileOf = (key) => join(folder, `${hashedName(key)}.json`);
  const load = (file) => {
    let text;
    try {
      refuseSpecialFile(file);
      text = readFileSync(file, "utf8");
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    restrictToOwner(folder, 448);
    if (restrictToOwner(file, 384)) {
      warn(
        "SESSION_FILE_MODE",
        `Other users of this machine could read the session file ${file}. It is now readable for its owner only (0600); consider logging in again.`
      );
    }
    const stored = parse(text);
    if (stored) return stored;
    const backup = `${file}.corrupt-${randomUUID()}`;
    try {
      renameSync(file, backup);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    warn(
      "SESSION_FILE_CORRUPT",
      `The session file ${file} was damaged and has been renamed to ${backup}. A new login is needed.`
    );
    return null;
  };
  const store = {
    async load(key) {
      const stored = load(fileOf(key));
      return stored?.key === key ? stored.session : null;
    },
    async save(key, session) {
      makeFolder(folder);
      restrictToOwner(folder, 448);
      load(fileOf(key));
      writePrivateFile(fileOf(key), `${JSON.stringify({ key, ...session }, null, "	")}
`);
    },
    async clear(key, ifCurrent) {
      const file = fileOf(key);
      if (ifCurrent !== void 0 && load(file)?.session.accessToken !== ifCurrent) return;
      try {
        rmSync(file, { force: true });
        removeTemporaryFiles(file);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    withLock(key, task, { signal, outcomeOfOthers } = {}) {
      const withLease = async () => {
        const found = async () => {
          const outcome = await outcomeOfOthers?.() ?? null;
          return outcome === null ? null : { outcome };
        };
        const lease = await acquireLeaseUnless(join(folder, `${hashedName(key)}.lock`), found, { signal });
        if ("outcome" in lease) return lease.outcome;
        try {
          return await task();
        } finally {
          lease.release();
        }
      };
      return inProcess.withLock(key, withLease, { signal });
    },
    async keys() {
      let files;
      try {
        files = readdirSync(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
      return files.filter((file) => file.endsWith(".json")).flatMap((file) => {
        const stored = load(join(folder, file));
        return stored ? [stored.key] : [];
      });
    }
  };
  return store;
}
function parse(text) {
  try {
    const value = JSON.parse(text);
    const session = parseStoredSession(value);
    const key = typeof value === "object" && value !== null ? Reflect.get(value, "key") : null;
    return session && typeof key === "string" ? { key, session } : null;
  } catch {
    return null;
  }
}
function refuseSpecialFile(file) {
  const stats = statSync(file);
  if (stats.isFile() || stats.isDirectory()) return;
  throw new TokenStoreError(
    `The session file ${file} is no ordinary file but a pipe, a socket or a device. Remove it, then log in again.`
  );
}
function isMissing(error) {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
export {
  fileTokenStore
};
