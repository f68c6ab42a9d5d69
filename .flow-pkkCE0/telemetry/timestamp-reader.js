import { timestampMs } from "./timestamps.js";
const MINUTE_LENGTH = "2026-03-01T12:00:".length;
const SECONDS_LENGTH = "2026-03-01T12:00:00Z".length;
const MILLISECONDS_LENGTH = "2026-03-01T12:00:00.000Z".length;
const LETTER_T = 84;
const LETTER_Z = 90;
const POINT = 46;
const COLON = 58;
const ZERO = 48;
class TimestampReader {
  /** The last timestamp up to its minute, with the colon. No timestamp starts with the initial value. */
  #minute = "none";
  #minuteTime = 0;
  /** Milliseconds since 1970; null for a value that is not a timestamp. */
  read(timestamp) {
    if (timestamp === null || timestamp === void 0) return null;
    if (typeof timestamp !== "string" || !isPlainUtc(timestamp)) return timeOf(timestamp);
    if (timestamp.startsWith(this.#minute)) {
      const ms2 = millisecondsOf(timestamp);
      if (ms2 >= 0) return this.#minuteTime + ms2;
    }
    const time = timeOf(timestamp);
    const ms = millisecondsOf(timestamp);
    if (time !== null && ms >= 0) {
      this.#minute = timestamp.slice(0, MINUTE_LENGTH);
      this.#minuteTime = time - ms;
    }
    return time;
  }
}
function isPlainUtc(text) {
  const { length } = text;
  return (length === MILLISECONDS_LENGTH ? text.charCodeAt(SECONDS_LENGTH - 1) === POINT : length === SECONDS_LENGTH) && text.charCodeAt(length - 1) === LETTER_Z && text.charCodeAt(MINUTE_LENGTH - 1) === COLON && text.charCodeAt("2026-03-01".length) === LETTER_T;
}
function millisecondsOf(text) {
  const seconds = numberAt(text, MINUTE_LENGTH, 2);
  const fraction = text.length === SECONDS_LENGTH ? 0 : numberAt(text, SECONDS_LENGTH, 3);
  return seconds < 0 || seconds > 59 || fraction < 0 ? -1 : seconds * 1e3 + fraction;
}
function numberAt(text, from, digits) {
  let number = 0;
  for (let i = from; i < from + digits; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}
function timeOf(timestamp) {
  if (typeof timestamp === "string" && timestamp.endsWith("Z")) {
    const time = Date.parse(timestamp);
    if (!Number.isNaN(time)) return time;
  }
  return timestampMs(timestamp);
}
export {
  TimestampReader
};
