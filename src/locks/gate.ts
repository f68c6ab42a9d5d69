// One active request per user: a request holds the gate of its user's key until it is over.
import PQueue from 'p-queue';
import { AbortFlag } from '../core/abort-flag.js';
import type { Priority } from '../core/priority.js';

/** What a gate may know of a call that waits. */
export interface HoldOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** A waiting call of a higher priority goes first, if the gate knows priorities. Default `normal`. */
  readonly priority?: Priority;
}

export interface Gate {
  /**
   * Runs the task while no other task of the same key runs behind this gate. If the signal fires before the task has started, the wait
   * ends with the signal's reason and the task never starts. A task that runs holds the gate until it settles, whatever the signal
   * does, because until then the service counts its request as active.
   */
  hold<T>(key: string, task: () => Promise<T>, options?: HoldOptions): Promise<T>;
  /**
   * The service answered 429, which concerns everybody who sends for this key: if the gate has this method, it gives nobody the turn for
   * this many milliseconds. Whoever holds it keeps it. Must not reject.
   */
  pause?(key: string, ms: number): Promise<void>;
}

/** A gate between the calls of this process, first come, first served. */
export function localGate(): Gate {
  const queues = new Map<string, PQueue>();
  const queueOf = (key: string): PQueue => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: 1 });
    queue.on('idle', () => queues.delete(key));
    queues.set(key, queue);
    return queue;
  };
  return {
    hold(key, task, options = {}) {
      if (hasFired(options)) return Promise.reject(options.signal?.reason);
      const queue = queueOf(key);
      return queue.pending === 0 ? queue.add(task) : holdInTurn(queue, task, options.signal);
    },
  };
}

/** The signal is not given to p-queue: when it fires, p-queue starts the next task while this one is still under way. */
function holdInTurn<T>(queue: PQueue, task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const turn = async () => {
      if (signal?.aborted) return;
      signal?.removeEventListener('abort', leave);
      await task().then(resolve, reject);
    };
    queue.add(turn).catch(reject);
  });
}

/** Does not make the signal of an AbortFlag: it is not needed when there is nobody to wait for. */
export function hasFired(options: HoldOptions): boolean {
  return options instanceof AbortFlag ? options.aborted : (options.signal?.aborted ?? false);
}
