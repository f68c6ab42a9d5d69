// Cancels a request that receives no byte for a while: the connection may be dead, or the service
// may hang.
import { AbortFlag } from '../core/deadline.js';
import { ATTEMPT_TIMEOUT } from '../core/network-errors.js';
import type { Timers } from '../core/ports.js';
import { connectTimeoutError, type HttpFetch, type HttpRequestInit, type HttpResponse } from './http-transport.js';

export function withAttemptTimeout(fetch: HttpFetch, timers: Timers, limitMs: number): HttpFetch {
  return (url, init) => withinAttempt(fetch, timers, url, init, limitMs);
}

/** Aborts the fetch when no byte arrives for `limitMs`, unless the caller has paused reading. */
async function withinAttempt(
  fetch: HttpFetch,
  timers: Timers,
  url: string,
  init: HttpRequestInit,
  limitMs: number,
): Promise<HttpResponse> {
  const { signal, beforeSend, onData } = init;
  const flag = new AbortFlag();
  const onAbort = () => flag.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  let lastByteAt = timers.now();
  let isSent = false;
  let isHeld = false;
  let cancel = () => {};
  const watch = (ms: number) => {
    const byteBefore = lastByteAt;
    cancel = timers.after(ms, () => {
      // No byte can arrive while reading is paused. Otherwise the timer itself shows that the limit
      // has passed: a test may advance timers without the clock.
      if (isHeld) watch(limitMs);
      else if (lastByteAt === byteBefore) flag.abort(isSent ? attemptTimeoutError() : connectTimeoutError());
      else watch(Math.max(0, lastByteAt + limitMs - timers.now()));
    });
  };
  watch(limitMs);
  const pauseReading = (held: Promise<void> | undefined) => {
    if (held === undefined) return held;
    isHeld = true;
    void held.then(() => {
      isHeld = false;
      lastByteAt = timers.now();
    });
    return held;
  };
  try {
    return await fetch(url, {
      ...init,
      ...(onData ? { onData: (chunk, encoding) => pauseReading(onData(chunk, encoding)) } : {}),
      signal: flag,
      beforeSend: () => {
        beforeSend?.();
        isSent = true;
        lastByteAt = timers.now();
      },
      onActivity: () => {
        lastByteAt = timers.now();
      },
    });
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

function attemptTimeoutError(): Error {
  return Object.assign(new Error('No byte arrived within attemptTimeoutMs.'), { code: ATTEMPT_TIMEOUT });
}
