import { GraphQLResponseError, HttpError } from "../../core/errors.js";
import { WINDOW_OVERLAP_MS } from "../window.js";
const STATUSES = [400, 413, 422];
const CLASSIFICATIONS = ["BAD_REQUEST", "BAD_USER_INPUT", "VALIDATIONERROR"];
const ABOUT_LENGTH = /\b(periods?|ranges?|intervals?|windows?|spans?|durations?|days?|hours?|too (long|large|big)|exceeds?|maximum)\b/i;
const SHORTEST_REFUSED_MS = 6 * 36e5;
class AcceptedLength {
  #limit;
  /** The longest window that was answered. */
  #accepted = 0;
  #wasRefused = false;
  constructor(limit) {
    this.#limit = limit;
  }
  /** The longest part to ask for. */
  get ms() {
    return this.#limit.ms;
  }
  answered({ from, to }) {
    this.#accepted = Math.max(this.#accepted, to - from);
    if (this.#wasRefused) this.#limit.ms = Math.max(SHORTEST_REFUSED_MS / 2, this.#accepted - WINDOW_OVERLAP_MS);
    this.#wasRefused = false;
  }
  /** How long the window may be in place of one that failed; null when its length is not the reason. */
  afterRefusal({ from, to }, error) {
    const span = to - from;
    if (!mayBeTooLong(error) || span <= Math.max(this.#accepted, SHORTEST_REFUSED_MS)) return null;
    this.#wasRefused = true;
    return Math.max(this.#accepted, Math.floor(span / 2));
  }
}
function mayBeTooLong(error) {
  if (error instanceof HttpError) return STATUSES.includes(error.status);
  if (!(error instanceof GraphQLResponseError)) return false;
  if (CLASSIFICATIONS.includes(error.classification?.toUpperCase() ?? "")) return true;
  return error.serviceErrors.some(({ message }) => ABOUT_LENGTH.test(message));
}
export {
  AcceptedLength
};
