// How far this machine's clock is from the service's, as the Date of an answer tells it.
import type { Fetch } from '../../outside.js';
import { failureOf } from '../../request/failure.js';
import { FailedRequest } from '../../request/failure-error.js';
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
  const after = now();
  await answer.text();
  const theirs = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return skipped('the service does not say what time it has');
  const seconds = Math.round((theirs - (before + after) / 2) / 1000);
  // A Date has whole seconds.
  if (Math.abs(seconds) <= 1) return fine('as the clock of the service');
  const apart = `${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(seconds) <= MOST_SECONDS) return fine(apart);
  return warning(
    `this machine is ${apart}`,
    'Set its clock (NTP): ages, "offline", and times such as -2h are wrong by as much.',
  );
}
