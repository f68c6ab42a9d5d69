// One active request per user: a request holds the gate of its user's key until it is over.
import PQueue from 'p-queue';
import { AbortFlag } from '../core/deadline.js';
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
   * this many milliseconds. A request that holds it keeps it. Must not reject.
   */
  pause?(key: string, ms: number): Promise<void>;
}

/** A gate between the calls of this process, first come, first served. */
export function localGate(): Gate {
  /** The keys that are held, each with those who wait for it; null when nobody has waited. */
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
 * The queue stands still while the key is held. What it runs is only the grant, not the task: with a signal, p-queue would start the next
 * task while this one is still under way.
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

/** Does not make the signal of an AbortFlag: it is not needed when there is nobody to wait for. */
export function hasFired(options: HoldOptions): boolean {
  return options instanceof AbortFlag ? options.aborted : (options.signal?.aborted ?? false);
}
