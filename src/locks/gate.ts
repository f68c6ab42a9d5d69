// One active request per user: whoever wants to send holds the gate for that user's key while the request is active.
import type PQueue from 'p-queue';
import { AbortFlag } from '../core/abort-flag.js';

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
  const held = new Map<string, Held>();
  return {
    hold(key, task, options = {}) {
      if (hasFired(options)) return Promise.reject(options.signal?.reason);
      const before = held.get(key);
      if (before) return inTurn(before, task, options.signal);
      // Nobody to wait for: no queue is needed until somebody comes.
      const work = task();
      const mine: Held = { work, queue: null, waiting: 0, leave: () => held.delete(key) };
      held.set(key, mine);
      const done = () => {
        if (!mine.queue) mine.leave();
      };
      work.then(done, done);
      return work;
    },
  };
}

/** Somebody holds the key, and others may wait for it. */
interface Held {
  readonly work: Promise<unknown>;
  /** Once somebody waits; loaded only then. */
  queue: Promise<PQueue> | null;
  /** Those in the queue, or on the way into it; the last one leaves the key free. */
  waiting: number;
  readonly leave: () => void;
}

/** The signal is not p-queue's to see: it would start the next task while this one is still on the wire. */
function inTurn<T>(held: Held, task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  held.queue ??= queueBehind(held);
  held.waiting++;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const turn = async () => {
      try {
        if (signal?.aborted) return;
        signal?.removeEventListener('abort', leave);
        await task().then(resolve, reject);
      } finally {
        held.waiting--;
        if (held.waiting === 0) held.leave();
      }
    };
    held.queue?.then((queue) => queue.add(turn)).catch(reject);
  });
}

async function queueBehind(held: Held): Promise<PQueue> {
  const { default: Queue } = await import('p-queue');
  const queue = new Queue({ concurrency: 1 });
  // How it ended is its caller's to know.
  void queue.add(() => held.work.catch(() => undefined));
  return queue;
}

/** Without making a Stop's signal, which nobody needs when there is nobody to wait for. */
function hasFired(options: { readonly signal?: AbortSignal }): boolean {
  return options instanceof AbortFlag ? options.aborted : (options.signal?.aborted ?? false);
}
