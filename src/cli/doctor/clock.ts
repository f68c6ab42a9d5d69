// Compares this machine's clock with the clock of the service, as the Date header of an answer tells it.
import type { Fetch } from '../../core/ports.js';
import { defaultUserAgent } from '../../core/version.js';
import { FailedRequest } from '../../request/failure-error.js';
import { failureOf } from '../../transport/failure.js';
import { ServiceClock } from '../../transport/service-clock.js';
import { clockDifferenceWarningMs } from '../limits.js';
import { type Finding, failed, ok, skipped, warning } from './check.js';

/** Sends a request without a token: the service refuses it, but its answer has the time. */
export async function checkClock(
  fetch: Fetch,
  baseUrl: string,
  now: () => number,
  signal: AbortSignal,
): Promise<Finding> {
  const before = now();
  const init = {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': defaultUserAgent },
    signal,
  } as const;
  const failedWith = (error: unknown, status: number | null) => {
    if (signal.aborted) return null;
    throw new FailedRequest(failureOf(error, undefined, status), 1, false, before).errorFor('request');
  };
  const answer = await fetch(`${baseUrl}/login/userinfo`, init).catch((error: unknown) => failedWith(error, null));
  if (answer === null)
    return failed(
      'TIMEOUT',
      'the service accepted the connection but did not answer',
      'Try again later, or allow more time: --timeout 2m.',
    );
  const time = new ServiceClock({ now });
  time.observeHeaders(answer.headers, before);
  await answer.text().catch((error: unknown) => failedWith(error, answer.status));
  const aheadMs = time.observedAheadMs;
  if (aheadMs === null)
    return skipped('the service does not send its time; ages and -2h use the clock of this machine');
  if (aheadMs === 0) return ok('equal to the clock of the service');
  const difference = `${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(aheadMs) <= clockDifferenceWarningMs) return ok(difference);
  return warning(
    `this machine is ${difference}: ages, live status and times such as -2h use the service's clock, tokens and certificates use this machine's`,
    "Set this machine's clock (NTP). If it is right, the service's is wrong, or was set on purpose (fleet mock --time).",
  );
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
];

/** `3 d 14 h`, `45 min 10 s`: the two largest units. */
function spanText(ms: number): string {
  let seconds = Math.trunc(ms / 1_000);
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  return units
    .slice(largest, largest + 2)
    .flatMap((unit) => {
      const count = Math.floor(seconds / unit.seconds);
      seconds %= unit.seconds;
      return count > 0 ? `${count} ${unit.name}` : [];
    })
    .join(' ');
}
