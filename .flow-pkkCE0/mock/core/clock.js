import { clampTime, isRepresentableTime, timeRangeText } from "./time-range.js";
function requireTime(ms) {
  if (!Number.isFinite(ms)) throw new RangeError("the clock needs a valid time");
  const time = Math.round(ms);
  if (!isRepresentableTime(time)) throw new RangeError(`the clock can only be set to a time ${timeRangeText}`);
  return time;
}
function toEpochMs(time) {
  if (typeof time === "number") return requireTime(time);
  if (typeof time === "string" || time instanceof Date) return requireTime(new Date(time).getTime());
  throw new TypeError("the clock can be set to epoch milliseconds, RFC 3339 text or a Date");
}
function createClock(source) {
  let offset = 0;
  let frozenAt = null;
  const now = () => frozenAt ?? clampTime(Math.round(source.now()) + offset);
  const setTime = (time) => {
    if (frozenAt !== null) frozenAt = time;
    else offset = time - Math.round(source.now());
  };
  return {
    now,
    advance: (ms) => setTime(requireTime(now() + ms)),
    set: (time) => setTime(toEpochMs(time)),
    freeze(frozen) {
      if (typeof frozen !== "boolean") throw new TypeError("freeze takes true or false");
      if (frozen === (frozenAt !== null)) return;
      if (frozenAt === null) {
        frozenAt = now();
        return;
      }
      const resumeAt = frozenAt;
      frozenAt = null;
      setTime(resumeAt);
    },
    reset() {
      offset = 0;
      frozenAt = null;
    }
  };
}
export {
  createClock
};
