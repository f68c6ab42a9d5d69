// Limits the time of work. On Node 20 a signal of AbortSignal.timeout passed to AbortSignal.any is
// garbage-collected and never fires.
import { onAbort } from './deadline.js';
import { realTimers, type Timers } from './ports.js';

/** Runs work with a signal that fires with the caller's, or with a TimeoutError after `ms`. */
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
