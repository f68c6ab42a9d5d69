import { onAbort } from "./abort-listener.js";
import { realTimers } from "./ports.js";
async function withTimeLimit(caller, ms, work, timers = realTimers) {
  const limited = new AbortController();
  const end = () => limited.abort(caller.reason);
  if (caller.aborted) end();
  onAbort(caller, end);
  const cancel = timers.after(
    ms,
    () => limited.abort(new DOMException(`It took longer than ${ms} ms.`, "TimeoutError"))
  );
  try {
    return await work(limited.signal);
  } finally {
    cancel();
    caller.removeEventListener("abort", end);
  }
}
export {
  withTimeLimit
};
