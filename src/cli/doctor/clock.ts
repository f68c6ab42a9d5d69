// How far this machine's clock is from the service's, as the Date of an answer tells it.
import type { Fetch } from '../../core/ports.js';
import { FailedRequest } from '../../request/failure-error.js';
import { failureOf } from '../../transport/failure.js';
import { ServiceClock } from '../../transport/service-clock.js';
import { broken, type Finding, fine, skipped, warning } from './check.js';

const MOST_SECONDS = 30;

/** Asks without a token, so nothing is needed for it and nothing changed by it; the service answers with a refusal, and the time. */
export async function lookAtClock(
  fetch: Fetch,
  baseUrl: string,
  now: () => number,
  signal: AbortSignal,
): Promise<Finding> {
  const before = now();
  const init = { method: 'GET', headers: { accept: 'application/json' }, signal } as const;
  const answer = await fetch(`${baseUrl}/login/userinfo`, init).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw new FailedRequest(failureOf(error), 1, false, before).errorFor('request');
  });
  if (answer === null)
    return broken(
      'TIMEOUT',
      'the service took the connection and did not answer',
      'Try again later, or allow more time: --timeout 2m.',
    );
  const time = new ServiceClock({ now });
  time.observeHeaders(answer.headers, before);
  await answer.text();
  const aheadMs = time.observedAheadMs;
  if (aheadMs === null) return skipped('the service does not say what time it has; ages and -2h go by this machine');
  if (aheadMs === 0) return fine('as the clock of the service');
  const apart = `${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(aheadMs) <= MOST_SECONDS * 1_000) return fine(apart);
  return warning(
    `this machine is ${apart}: ages, live status and times such as -2h go by the service's clock, tokens and certificates by this machine's`,
    "Set this machine's clock (NTP); if it is right, the service's is wrong, or was moved on purpose (fleet mock --time).",
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
