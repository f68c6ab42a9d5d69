// Shared state of all requests of a user.
import { type ActingUser, turnKey } from '../auth/acting-user.js';
import type { HeaderMap } from './request-headers.js';

export class UserRequests {
  /** The user in events: an id of the contract, never another text given by mistake. */
  readonly displayId: string | null;
  readonly gateKey: string;
  readonly header: ActingUser['header'];
  /** The last request's headers, cached by token. `ofContract` excludes those of the program. */
  headers: { readonly token: string; readonly ofContract: HeaderMap; readonly all: HeaderMap } | null = null;
  /** End of the pause after a 429, on the timers' clock. It applies to all calls of the user. */
  pausedUntil = 0;
  readonly counts = { requests: 0, mergedCalls: 0, refusals: 0, bytes: 0 };

  constructor(baseUrl: string, user: ActingUser) {
    this.displayId = /^(fleet:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(user.key) ? user.key : null;
    this.gateKey = turnKey(baseUrl, user);
    this.header = user.header;
  }
}
