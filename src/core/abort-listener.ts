import { setMaxListeners } from 'node:events';

/** Calls `listener` once, when the signal fires. The caller removes an unneeded listener. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  // Otherwise Node warns of a leak from 11 listeners on. A polyfill's signal has no such limit.
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}
