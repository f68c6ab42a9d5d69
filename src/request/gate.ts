// One active request per user: whoever wants to send holds the gate for that user's key while the request is active.
import PQueue from 'p-queue';
import { Stop } from './stop.js';

export interface Gate {
  /**
   * Runs the task while nobody else behind this gate runs one for the same key. When the signal fires before the task has
   * started, the wait ends with the signal's reason and the task never starts; once it runs, the gate is held until
   * the task has settled, whatever the signal does, because until then the service counts the request as active.
   */
  hold<T>(key: string, task: () => Promise<T>, options?: { readonly signal?: AbortSignal }): Promise<T>;
}

/** A gate between the calls of this process, first come first served. */
export function localGate(): Gate {
  const queues = new Map<string, PQueue>();
  return {
    async hold(key, task, options = {}) {
      if (hasFired(options)) throw options.signal?.reason;
      const queue = queues.get(key) ?? new PQueue({ concurrency: 1 });
      queues.set(key, queue);
      try {
        // Nobody to wait for: it starts at once.
        if (queue.pending === 0) return await queue.add(task);
        return await inTurn(queue, task, options.signal);
      } finally {
        if (queue.size === 0 && queue.pending === 0 && queues.get(key) === queue) queues.delete(key);
      }
    },
  };
}

/** The signal is not p-queue's to see: it would start the next task while this one is still on the wire. */
function inTurn<T>(queue: PQueue, task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    queue
      .add(async () => {
        if (signal?.aborted) return;
        signal?.removeEventListener('abort', leave);
        await task().then(resolve, reject);
      })
      .catch(reject);
  });
}

/** Without making a Stop's signal, which nobody needs when there is nobody to wait for. */
function hasFired(options: { readonly signal?: AbortSignal }): boolean {
  return options instanceof Stop ? options.aborted : (options.signal?.aborted ?? false);
}
