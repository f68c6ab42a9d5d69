// The default token store. Clients with the same store share their logins.
import type { StoredSession, TokenStore } from './token-store.js';

export function memoryTokenStore(): TokenStore {
  const sessions = new Map<string, StoredSession>();
  // The end of the last task of each key: the next task waits for it.
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
    withLock(key, task, { signal } = {}) {
      return new Promise((resolve, reject) => {
        const leave = () => reject(signal?.reason);
        if (signal?.aborted) return leave();
        signal?.addEventListener('abort', leave, { once: true });
        const turn = async () => {
          if (signal?.aborted) return;
          signal?.removeEventListener('abort', leave);
          // A failure must not reach the next task, nor count as an unhandled rejection.
          try {
            resolve(await task());
          } catch (error) {
            reject(error);
          }
        };
        const tail = (tails.get(key) ?? Promise.resolve()).then(turn).then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
        tails.set(key, tail);
      });
    },
    async keys() {
      return [...sessions.keys()];
    },
  };
}
