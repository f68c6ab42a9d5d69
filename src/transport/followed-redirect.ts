// Detects a fetch of the program that followed a redirect although it must not. The request, with
// its password or token, went to an address that the program never named.
import type { FetchResponse } from '../core/ports.js';

export class FollowedRedirect extends Error {
  /** Origin of the answer; null when unknown. */
  readonly origin: string | null;
  constructor(origin: string | null) {
    super('The fetch followed a redirect.');
    this.origin = origin;
  }
}

/**
 * @throws {FollowedRedirect} when the response is from another address than the requested one. A
 * fetch that always sends requests to a gateway reports no redirect.
 */
export function refuseFollowedRedirect(requestedUrl: string, { redirected, url }: FetchResponse): void {
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
  const isElsewhere = redirected === undefined && origin !== null && origin !== new URL(requestedUrl).origin;
  if (redirected === true || isElsewhere) throw new FollowedRedirect(origin);
}
