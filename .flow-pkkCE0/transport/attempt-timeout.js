import { AbortFlag } from "../core/deadline.js";
import { ATTEMPT_TIMEOUT } from "../core/network-errors.js";
function withAttemptTimeout(fetch, timers, limitMs) {
  return (url, init) => withinAttempt(fetch, timers, url, init, limitMs);
}
async function withinAttempt(fetch, timers, url, init, limitMs) {
  const { signal, beforeSend, onData } = init;
  const flag = new AbortFlag();
  const onAbort = () => flag.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  let lastByteAt = timers.now();
  let isSent = false;
  let isHeld = false;
  let cancel = () => {
  };
  const watch = (ms) => {
    const byteBefore = lastByteAt;
    cancel = timers.after(ms, () => {
      if (isHeld) watch(limitMs);
      else if (lastByteAt === byteBefore) flag.abort(isSent ? noByte() : noConnection());
      else watch(Math.max(0, lastByteAt + limitMs - timers.now()));
    });
  };
  watch(limitMs);
  const hold = (held) => {
    if (held === void 0) return held;
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
      ...onData ? { onData: (chunk, encoding) => hold(onData(chunk, encoding)) } : {},
      signal: flag,
      beforeSend: () => {
        beforeSend?.();
        isSent = true;
        lastByteAt = timers.now();
      },
      onActivity: () => {
        lastByteAt = timers.now();
      }
    });
  } finally {
    cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}
function noByte() {
  return Object.assign(new Error("No byte arrived within attemptTimeoutMs."), { code: ATTEMPT_TIMEOUT });
}
function noConnection() {
  return Object.assign(new Error("connect ETIMEDOUT"), { code: "ETIMEDOUT", syscall: "connect" });
}
export {
  withAttemptTimeout
};
