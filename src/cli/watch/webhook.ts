// Posts signed events to a URL.
import { createHmac } from 'node:crypto';
import { isTimeLimit } from '../../core/deadline.js';
import { errorCode } from '../../core/error-code.js';
import { isRateLimited, isTransient, mayPassLater } from '../../core/http-status.js';
import type { Timers } from '../../core/ports.js';
import { withTimeLimit } from '../../core/time-limit.js';
import { defaultUserAgent } from '../../core/version.js';
import type { HttpRequestInit, HttpTransport } from '../../transport/http-transport.js';
import { retryAfterMs, retryAfterOf } from '../../transport/response-headers.js';
import type { DeliveryOutcome, Receiver } from './deliveries.js';

/** Time limit of a response. */
const ANSWER_MS = 30_000;

/** Largest response that keeps its connection open. Its body is not read. */
const ANSWER_LIMIT = { maxBytes: 64 * 1024 };

interface PostParts {
  /** May contain a secret: never print it. */
  readonly url: URL;
  /** Null: unsigned. */
  readonly secret: string | null;
  readonly transport: Pick<HttpTransport, 'fetch'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Milliseconds since 1970. */
  now(): number;
}

export function postReceiver({ url, secret, transport, timers, now }: PostParts): Receiver {
  const label = `--post to ${url.host}`;
  return {
    name: 'post',
    label,
    deliver(event, signal) {
      const body = JSON.stringify(event);
      const headers = {
        'content-type': 'application/json',
        'user-agent': defaultUserAgent,
        'fleet-event-id': event.id,
        ...(secret === null ? {} : { 'fleet-signature': webhookSignature(secret, Math.floor(now() / 1_000), body) }),
      };
      return new Promise((resolve) => {
        // The status decides, even when the body is cut.
        const onHead: HttpRequestInit['onHead'] = (head) =>
          resolve(outcomeOf(head.status, retryAfterMs(retryAfterOf(head), now())));
        const post = (limited: AbortSignal) =>
          transport.fetch(url.href, { method: 'POST', headers, body, signal: limited, limit: ANSWER_LIMIT, onHead });
        withTimeLimit(signal, ANSWER_MS, post, timers).catch((error) =>
          resolve({ kind: 'failed', reason: reasonOf(error), isReceiverDown: true, retryAfterMs: null }),
        );
      });
    },
  };
}

function outcomeOf(status: number, after: number | null): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const reason = `it answered ${status}`;
  if (status >= 400 && !mayPassLater(status)) return { kind: 'refused', reason };
  // Redirects are not followed: they could lead to another receiver.
  const isUnwell = isTransient(status) || isRateLimited(status) || after !== null;
  return { kind: 'failed', reason, isReceiverDown: isUnwell, retryAfterMs: after };
}

/** Returns the reason without the error message, which may contain the address. */
function reasonOf(error: unknown): string {
  if (isTimeLimit(error)) return 'no answer within 30 s';
  const code = errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined);
  return code === undefined ? 'it could not be reached' : `it could not be reached (${code})`;
}

/** Returns `t=1772443800,v1=5257a8…`: HMAC-SHA256 of `<t>.<body>` in hex. `time` is in seconds. */
function webhookSignature(secret: string, time: number, body: string): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
