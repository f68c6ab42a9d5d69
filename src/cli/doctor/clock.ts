// Compares the clocks of this machine and the service, from the Date header of a response.

import { durationText } from '../../core/durations.js';
import type { Fetch } from '../../core/ports.js';
import { defaultUserAgent } from '../../core/version.js';
import { failureOf } from '../../request/failure.js';
import { FailedRequest } from '../../request/failure-error.js';
import { ServiceClock } from '../../transport/service-clock.js';
import { addressToUse } from './address.js';
import { type CheckFinding, failed, ok, skipped, warning } from './check.js';

/** A larger difference is reported. */
const CLOCK_DIFFERENCE_WARNING_MS = 30_000;

/**
 * Reads the time from a refused request without a token, the first one of all. It also detects
 * redirects. `atWrongScheme` checks for TLS on the port.
 */
export async function checkClock(
  fetch: Fetch,
  baseUrl: string,
  now: () => number,
  signal: AbortSignal,
  atWrongScheme: () => Promise<CheckFinding | null>,
): Promise<CheckFinding> {
  const before = now();
  const time = new ServiceClock({ now });
  let status: number | null = null;
  try {
    const headers = { accept: 'application/json', 'user-agent': defaultUserAgent };
    const answer = await fetch(`${baseUrl}${PATH}`, { method: 'GET', headers, redirect: 'manual', signal });
    status = answer.status;
    time.observeHeaders(answer.headers, before);
    const elsewhere = redirected(status, answer.headers.get('location'), baseUrl);
    if (elsewhere !== null) return elsewhere;
    await answer.text();
  } catch (error) {
    if (signal.aborted && status === null) {
      return failed(
        'TIMEOUT',
        'the service accepted the connection but did not answer',
        'Try again later, or allow more time: --timeout 2m.',
      );
    }
    if (!signal.aborted) {
      // A server that sent a status speaks HTTP.
      const found = status === null ? await atWrongScheme() : null;
      if (found !== null) return found;
      throw new FailedRequest(failureOf(error, status), 1, false, before).errorFor('request');
    }
  }
  // Some servers answer plain HTTP on a TLS port with status 400.
  const found = status === 400 ? await atWrongScheme() : null;
  if (found !== null) return found;
  const aheadMs = time.observedAheadMs;
  if (aheadMs === null)
    return skipped('the service does not send its time; ages and -2h use the clock of this machine');
  if (aheadMs === 0) return ok('equal to the clock of the service');
  const difference = `${durationText(Math.trunc(Math.abs(aheadMs) / 1_000) * 1_000, 2)} ${aheadMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_WARNING_MS) return ok(difference);
  return warning(
    `this machine is ${difference}: ages, live status and times such as -2h use the service's clock, tokens and certificates use this machine's`,
    "Set this machine's clock (NTP). If it is right, the service's is wrong, or was set on purpose (fleet mock --time).",
  );
}

/** Returns the finding about a redirect. The client follows none: it would leak the password. */
function redirected(status: number, location: string | null, baseUrl: string): CheckFinding | null {
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, `${baseUrl}${PATH}`)) return null;
  const { origin, pathname } = new URL(location, `${baseUrl}${PATH}`);
  if (!pathname.endsWith(PATH)) {
    return failed(
      'HTTP',
      `the service redirects requests to ${origin}`,
      'Check the address: it leads to another server.',
    );
  }
  const target = `${origin}${pathname.slice(0, -PATH.length)}`;
  return failed('HTTP', `the service redirects every request to ${target}`, addressToUse(target));
}

const PATH = '/login/userinfo';
