import { durationText } from "../../core/durations.js";
import { now } from "../context/context.js";
import { noteInPlace } from "../context/progress.js";
const PATIENCE_MS = 5e3;
function waitingHooks(run) {
  let since = null;
  let isTold = false;
  return {
    onRetry({ operations, reason, waitMs }) {
      since ??= now(run);
      const failing = now(run) - since;
      if (isTold || failing < PATIENCE_MS) return;
      isTold = true;
      const again = waitMs < 1e3 ? "at once" : `in ${durationText(waitMs)}`;
      noteInPlace(
        run,
        `Waiting for the service: ${operations.join(", ")} has failed for ${durationText(failing)} (${reason}). Trying again ${again}; --timeout says when to give up.`
      );
    },
    onResponse({ status }) {
      if (status === null || status >= 400) return;
      since = null;
      isTold = false;
    }
  };
}
export {
  waitingHooks
};
