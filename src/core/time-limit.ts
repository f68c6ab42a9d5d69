// Ends work that takes too long. On Node 20 nothing keeps the signal of AbortSignal.timeout that is given to AbortSignal.any: it is
// garbage-collected, and never fires.
import { onAbort } from './abort-listener.js';
import { realTimers, type Timers } from './ports.js';

/** Runs work with a signal that fires with that of the caller, or after `ms` milliseconds with a TimeoutError. */
export async function withTimeLimit<Result>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  timers: Pick<Timers, 'after'> = realTimers,
): Promise<Result> {
  const limited = new AbortController();
  const end = () => limited.abort(caller.reason);
  if (caller.aborted) end();
  onAbort(caller, end);
  const cancel = timers.after(ms, () =>
    limited.abort(new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError')),
  );
  try {
    return await work(limited.signal);
  } finally {
    cancel();
    caller.removeEventListener('abort', end);
  }
}
