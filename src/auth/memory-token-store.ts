// The token store in memory, the default. Clients that are given the same store share their logins.
import type { StoredSession, TokenStore } from './token-store.js';

/** A token store that lives as long as the object. */
export function memoryTokenStore(): TokenStore {
  const sessions = new Map<string, StoredSession>();
  const tails = new Map<string, Promise<unknown>>();
  return {
    async load(key) {
      return sessions.get(key) ?? null;
    },
    async save(key, session) {
      sessions.set(key, session);
    },
    async clear(key, ifCurrent) {
      if (ifCurrent === undefined || sessions.get(key)?.accessToken === ifCurrent) sessions.delete(key);
    },
    async withLock(key, task) {
      const turn = (tails.get(key) ?? Promise.resolve()).then(task, task);
      // A failure must not reach the next task, nor count as an unhandled rejection.
      const tail = turn.catch(() => undefined);
      tails.set(key, tail);
      try {
        return await turn;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
    async keys() {
      return [...sessions.keys()];
    },
  };
}
