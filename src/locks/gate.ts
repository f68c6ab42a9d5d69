// Allows one active request per user: a request holds the gate of its user's key until it is over.
import PQueue from 'p-queue';
import { AbortFlag } from '../core/deadline.js';
import type { Priority } from '../core/priority.js';

export interface HoldOptions {
  readonly signal?: AbortSignal;
  /** Waiting calls of higher priority go first, if supported. Default `normal`. */
  readonly priority?: Priority;
}

export interface Gate {
  /**
   * Runs the task while no other task of the same key runs behind this gate. If the signal fires
   * before the task has started, the promise rejects with the signal's reason and the task never
   * starts. A running task holds the gate until it settles, whatever the signal does, because the
   * service counts its request as active until then.
   */
  hold<T>(key: string, task: () => Promise<T>, options?: HoldOptions): Promise<T>;
  /**
   * Called after a 429, which concerns every client of this key: grants no turn for this many
   * milliseconds. Optional. A request that holds the turn keeps it. Must not reject.
   */
  pause?(key: string, ms: number): Promise<void>;
}

export function localGate(): Gate {
  /** The held keys with their queues; null when no call has waited. */
  const held = new Map<string, PQueue | null>();
  const pass = (key: string) => {
    const waiting = held.get(key);
    if (waiting && waiting.size > 0) waiting.start();
    else held.delete(key);
  };
  const run = async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    try {
      return await task();
    } finally {
      pass(key);
    }
  };
  return {
    hold(key, task, options = {}) {
      if (hasFired(options)) return Promise.reject(options.signal?.reason);
      const waiting = held.get(key);
      if (waiting === undefined) {
        held.set(key, null);
        return run(key, task);
      }
      const queue = waiting ?? new PQueue({ concurrency: 1, autoStart: false });
      held.set(key, queue);
      return afterTurn(queue, options, { run: () => run(key, task), pass: () => pass(key) });
    },
  };
}

/**
 * Runs the task when the queue grants the turn. The queue is paused while the key is held. It runs
 * only the grant: given a signal, p-queue would start the next task while this one is running.
 */
async function afterTurn<T>(
  queue: PQueue,
  options: HoldOptions,
  turn: { readonly run: () => Promise<T>; readonly pass: () => void },
): Promise<T> {
  const { signal } = options;
  let isGranted = false;
  const grant = () => {
    queue.pause();
    isGranted = true;
  };
  try {
    await queue.add(grant, signal ? { signal } : {});
    // It may have fired since the grant.
    signal?.throwIfAborted();
  } catch (error) {
    if (isGranted) turn.pass();
    throw error;
  }
  return turn.run();
}

/** Does not read the `signal` of an AbortFlag, which is created on first use. */
export function hasFired(options: HoldOptions): boolean {
  return options instanceof AbortFlag ? options.aborted : (options.signal?.aborted ?? false);
}
