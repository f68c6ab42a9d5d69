import { turnKey } from "../auth/acting-user.js";
class UserRequests {
  /** As events name the user: an id of the contract, and nothing that was given as one by mistake. */
  shown;
  gateKey;
  /** The header that names the user. */
  header;
  /** The headers of the last request: they change with the token. `ofContract` is without those of the program. */
  headers = null;
  /** Until when nothing is sent, on the timers' clock: the service answered 429, which concerns all calls of the user. */
  pausedUntil = 0;
  /** What the requests have come to since the client was made. */
  counts = { requests: 0, mergedCalls: 0, refusals: 0, bytes: 0 };
  constructor(baseUrl, user) {
    this.shown = /^(fleet:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(user.key) ? user.key : null;
    this.gateKey = turnKey(baseUrl, user);
    this.header = user.header;
  }
}
export {
  UserRequests
};
