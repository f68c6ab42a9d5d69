// The async context of a caller. Whatever is done for a call runs in it, whoever wakes the queue: so a tracer or a logger that reads
// AsyncLocalStorage finds the caller that a request is sent for.
import { AsyncResource } from 'node:async_hooks';

/** Runs a task in a context, and returns what the task returns. */
export type CallerContext = <Result>(task: () => Result) => Result;

/** The async context of the caller. */
export function captureContext(): CallerContext {
  // AsyncLocalStorage.snapshot does the same, and is not stable in the oldest Node that is promised.
  const resource = new AsyncResource('FleetCall');
  return (task) => resource.runInAsyncScope(task);
}
