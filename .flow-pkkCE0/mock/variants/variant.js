import { hourMs, weekMs } from "../core/durations.js";
import { fail, object, oneOf, optional, wholeNumber } from "../core/readers.js";
const grace = object({ rotateWithGraceMs: wholeNumber(0, hourMs) });
const refreshTokens = (value, path) => {
  if (value === "rotate") return value;
  return typeof value === "string" ? fail(path, 'must be "rotate" or an object') : grace(value, path);
};
const mockVariant = object({
  refreshTokens: optional(refreshTokens),
  turns: optional(oneOf(["by-login"])),
  rows: optional(oneOf(["descending", "shuffled"])),
  lateRowsMs: optional(wholeNumber(1, weekMs)),
  flags: optional(oneOf(["ON/OFF", "on/off", "running/stopped", "1/0"])),
  gpsNumbers: optional(oneOf(["text"])),
  times: optional(oneOf(["offset", "epoch"])),
  accessTokens: optional(oneOf(["jwt"])),
  refusals: optional(oneOf(["forbidden", "graphql"])),
  deleted: optional(oneOf(["kept"])),
  introspection: optional(oneOf(["off"])),
  longestPeriod: optional(object({ days: wholeNumber(1, 3660), refusedAs: oneOf(["error", "status"]) })),
  notFound: optional(oneOf(["error"])),
  nullability: optional(oneOf(["strict"])),
  inputs: optional(oneOf(["renamed", "lenient", "renamed-lenient"])),
  lingerMs: optional(wholeNumber(1, hourMs)),
  gatewayErrors: optional(oneOf(["html"])),
  idleConnectionMs: optional(wholeNumber(0, hourMs)),
  loginForms: optional(oneOf(["any"])),
  userInfo: optional(oneOf(["contract"]))
});
class VariantSetting {
  #initial;
  #current;
  constructor(initial) {
    this.#initial = initial;
    this.#current = initial;
  }
  get current() {
    return this.#current;
  }
  /** Throws a TypeError that names the member that is wrong, and changes nothing then. */
  set(value) {
    this.#current = mockVariant(value, "variant");
  }
  /** Returns to the variant that the service started with. */
  reset() {
    this.#current = this.#initial;
  }
}
export {
  VariantSetting,
  mockVariant
};
