// What all requests of a user have in common.
import { type ActingUser, turnKey } from '../auth/acting-user.js';
import type { HeaderMap } from './request-headers.js';

export class UserRequests {
  /** As events name the user: an id of the contract, and nothing that was given as one by mistake. */
  readonly shown: string | null;
  readonly gateKey: string;
  /** The header that names the user. */
  readonly header: ActingUser['header'];
  /**
   * The headers of the last request: they change with the token. `ofContract` is without those of
   * the program.
   */
  headers: { readonly token: string; readonly ofContract: HeaderMap; readonly all: HeaderMap } | null = null;
  /** Until when nothing is sent, on the timers' clock: the service answered 429, which concerns all calls of the user. */
  pausedUntil = 0;
  /** What the requests have come to since the client was made. */
  readonly counts = { requests: 0, mergedCalls: 0, refusals: 0, bytes: 0 };

  constructor(baseUrl: string, user: ActingUser) {
    this.shown = /^(fleet:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(user.key) ? user.key : null;
    this.gateKey = turnKey(baseUrl, user);
    this.header = user.header;
  }
}
