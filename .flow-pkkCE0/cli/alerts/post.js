import { createHmac } from "node:crypto";
import { isTimeLimit } from "../../core/deadline.js";
import { errorCode } from "../../core/error-code.js";
import { isPassing, isRateLimited, isTransient } from "../../core/http-status.js";
import { withTimeLimit } from "../../core/time-limit.js";
import { defaultUserAgent } from "../../core/version.js";
import { retryAfterMs, retryAfterOf } from "../../transport/retry-after.js";
const ANSWER_MS = 3e4;
const ANSWER_LIMIT = { maxBytes: 64 * 1024 };
function postReceiver({ url, secret, transport, timers, now }) {
  const label = `--post to ${url.host}`;
  return {
    name: "post",
    label,
    deliver(event, signal) {
      const body = JSON.stringify(event);
      const headers = {
        "content-type": "application/json",
        "user-agent": defaultUserAgent,
        "fleet-event-id": event.id,
        ...secret === null ? {} : { "fleet-signature": webhookSignature(secret, Math.floor(now() / 1e3), body) }
      };
      return new Promise((resolve) => {
        const onHead = (head) => resolve(outcomeOf(head.status, retryAfterMs(retryAfterOf(head), now())));
        const post = (limited) => transport.fetch(url.href, { method: "POST", headers, body, signal: limited, limit: ANSWER_LIMIT, onHead });
        withTimeLimit(signal, ANSWER_MS, post, timers).catch(
          (error) => resolve({ kind: "failed", reason: reasonOf(error), isUnwell: true, retryAfterMs: null })
        );
      });
    }
  };
}
function outcomeOf(status, after) {
  if (status >= 200 && status < 300) return { kind: "taken" };
  const reason = `it answered ${status}`;
  if (status >= 400 && !isPassing(status)) return { kind: "refused", reason };
  const isUnwell = isTransient(status) || isRateLimited(status) || after !== null;
  return { kind: "failed", reason, isUnwell, retryAfterMs: after };
}
function reasonOf(error) {
  if (isTimeLimit(error)) return "no answer within 30 s";
  const code = errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : void 0);
  return code === void 0 ? "it could not be reached" : `it could not be reached (${code})`;
}
function webhookSignature(secret, time, body) {
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}
export {
  postReceiver
};
