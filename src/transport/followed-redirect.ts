// A fetch of the program that follows redirects although it is told not to: the request, with its password or token, went to an address
// that the program never named.
import type { FetchResponse } from '../core/ports.js';

/** The request ended at another address. */
export class FollowedRedirect extends Error {
  /** Where the answer came from; null when the fetch does not say. */
  readonly origin: string | null;
  constructor(origin: string | null) {
    super('The fetch followed a redirect.');
    this.origin = origin;
  }
}

/**
 * @throws {FollowedRedirect} when the response says that it is not from the address that was asked. A fetch that sends requests elsewhere
 * by itself, such as to a gateway, has redirected nothing and says so.
 */
export function refuseFollowedRedirect(asked: string, { redirected, url }: FetchResponse): void {
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
  const isElsewhere = redirected === undefined && origin !== null && origin !== new URL(asked).origin;
  if (redirected === true || isElsewhere) throw new FollowedRedirect(origin);
}
