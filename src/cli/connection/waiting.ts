// Prints a note when requests keep failing, because the command would seem to hang.
import { durationText } from '../../core/durations.js';
import type { ClientHooks } from '../../index.js';
import { now, type Run } from '../context/context.js';
import { noteInPlace } from '../context/progress.js';

/** Shorter outages are not reported. */
const REPORT_AFTER_MS = 5_000;

export function waitingHooks(run: Run): Pick<ClientHooks, 'onRetry' | 'onResponse'> {
  let since: number | null = null;
  let isReported = false;
  return {
    onRetry({ operations, reason, waitMs }) {
      since ??= now(run);
      const failing = now(run) - since;
      if (isReported || failing < REPORT_AFTER_MS) return;
      isReported = true;
      const again = waitMs < 1_000 ? 'at once' : `in ${durationText(waitMs)}`;
      noteInPlace(
        run,
        `Waiting for the service: ${operations.join(', ')} has failed for ${durationText(failing)} (${reason}). Trying again ${again}; --timeout says when to give up.`,
      );
    },
    onResponse({ status }) {
      if (status === null || status >= 400) return;
      since = null;
      isReported = false;
    },
  };
}
