// Listens to a signal of the caller.
import { setMaxListeners } from 'node:events';

/** Calls back once, when the signal fires. Whoever listens removes the listener when it is no longer needed. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  // One signal for a thousand calls is no leak, and Node would warn of it. The signal of a polyfill has no such limit.
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}
