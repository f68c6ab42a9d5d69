// Keeps requests to the limits of a client: how large a response may be, and how long one may bring no byte. A connection can be dead
// without anybody noticing, and a service can fall silent.
import { AbortFlag } from '../core/abort-flag.js';
import { ATTEMPT_TIMEOUT } from '../core/network-errors.js';
import type { FetchResponse, Timers } from '../core/ports.js';
import type { HttpRequestInit, HttpTransport } from './http-transport.js';
import { DEFAULT_LIMIT, type ResponseLimit } from './response-limits.js';

/** The same transport, whose requests keep to the limit of their response and to their `attemptTimeoutMs`. */
export function limitedTransport(http: HttpTransport, limit: ResponseLimit, timers: Timers): HttpTransport {
  return {
    prepare: (url) => http.prepare?.(url) ?? null,
    open: (url) => http.open?.(url),
    fetch(url, given) {
      const { attemptTimeoutMs } = given;
      // The transport has this limit by itself: no copy for every small call.
      const init = limit.maxBytes === DEFAULT_LIMIT.maxBytes ? given : { ...given, limit };
      return attemptTimeoutMs === undefined
        ? http.fetch(url, init)
        : withinAttempt(http, timers, url, init, attemptTimeoutMs);
    },
    close: () => http.close(),
  };
}

async function withinAttempt(
  http: HttpTransport,
  timers: Timers,
  url: string,
  init: HttpRequestInit,
  limitMs: number,
): Promise<FetchResponse> {
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
    cancel = timers.after(ms, () => {
      // No byte can arrive while nothing is read.
      const leftMs = isHeld ? limitMs : lastByteAt + limitMs - timers.now();
      if (leftMs > 0) watch(leftMs);
      else flag.abort(isSent ? noByte() : noConnection());
    });
  };
  watch(limitMs);
  const hold = (held: Promise<void> | undefined) => {
    if (held === undefined) return held;
    isHeld = true;
    void held.then(() => {
      isHeld = false;
      lastByteAt = timers.now();
    });
    return held;
  };
  try {
    return await http.fetch(url, {
      ...init,
      ...(onData ? { onData: (chunk, encoding) => hold(onData(chunk, encoding)) } : {}),
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

function noByte(): Error {
  return Object.assign(new Error('No byte arrived within attemptTimeoutMs.'), { code: ATTEMPT_TIMEOUT });
}

/** In the form of the system's own timeout: nothing was sent. */
function noConnection(): Error {
  return Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
}
