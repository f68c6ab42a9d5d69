import { greatCircleKm } from "../core/geo.js";
import { isPosition } from "./positions.js";
const POSITION_NOISE_KM = 0.1;
const MINUTE_MS = 6e4;
const AT_REST_MS = 15e3;
class PositionCleaner {
  #maxSpeedKmh;
  #believe;
  /** The last believed position. */
  last = null;
  /** Since when the vehicle has been at the last believed position, as far as its receiver says. */
  #since = 0;
  /** When it was last there. */
  #until = 0;
  #isAtRest = false;
  /** A position that was impossibly far away, or far away while the vehicle stands. It counts when the next position agrees with it. */
  #suspect = null;
  /** `believe` gets the positions that count, in order of time. */
  constructor(fastestKmh, believe, state) {
    this.#maxSpeedKmh = fastestKmh;
    this.#believe = believe;
    if (state === void 0) return;
    this.last = state.last;
    this.#since = state.since;
    this.#until = state.until;
    this.#isAtRest = state.isAtRest;
    this.#suspect = state.suspect;
  }
  get state() {
    const { last } = this;
    return { last, since: this.#since, until: this.#until, isAtRest: this.#isAtRest, suspect: this.#suspect };
  }
  /** `isAtRest`: the vehicle says that it stands, so that small moves of its position are none. */
  add(fix, isAtRest) {
    const last = this.last;
    const doubted = this.#suspect;
    switch (this.#judge(fix, isAtRest)) {
      case "next":
        this.#take(fix, isAtRest, false);
        break;
      case "same":
        if (last !== null) this.#stay(last, fix, isAtRest);
        break;
      case "doubted":
        this.#suspect = fix;
        break;
      case "agrees": {
        if (last === null || doubted === null) break;
        const isRepeated = this.#isPossible(this.#since, doubted.time, greatCircleKm(last, doubted));
        this.#take(doubted, isAtRest, !isRepeated);
        this.#take(fix, isAtRest, false);
      }
    }
  }
  /** Whether the next position would be believed. Changes nothing. */
  believes(fix, isAtRest) {
    const judgement = this.#judge(fix, isAtRest);
    return judgement !== "doubted" && judgement !== "none";
  }
  /** `same`: the vehicle is where it was. `agrees`: with the position before it that was doubted. */
  #judge(fix, isAtRest) {
    if (!isPosition(fix.latitude, fix.longitude)) return "none";
    const last = this.last;
    if (last === null) return "next";
    const km = greatCircleKm(last, fix);
    const staysAtRest = isAtRest && this.#isAtRest;
    if (km === 0 || staysAtRest && km <= POSITION_NOISE_KM) return "same";
    const wasSeenAtRest = staysAtRest && fix.time - this.#until <= AT_REST_MS;
    if (!wasSeenAtRest && this.#isPossible(this.#until, fix.time, km)) return "next";
    const doubted = this.#suspect;
    const agrees = doubted !== null && this.#isPossible(doubted.time, fix.time, greatCircleKm(doubted, fix));
    return agrees ? "agrees" : "doubted";
  }
  /** The vehicle moves, and its position is not known. */
  leave() {
    this.#isAtRest = false;
  }
  #take(fix, isAtRest, isNewPlace) {
    this.last = fix;
    this.#since = fix.time;
    this.#until = fix.time;
    this.#isAtRest = isAtRest;
    this.#suspect = null;
    this.#believe(fix, isNewPlace);
  }
  /** Kilometres from the last position, if it was believed at a time, to a fix that is possible; else null. */
  stepFrom(time, fix) {
    const last = this.last;
    if (last === null || this.#until !== time || !isPosition(fix.latitude, fix.longitude)) return null;
    const km = greatCircleKm(last, fix);
    return this.#isPossible(time, fix.time, km) ? km : null;
  }
  #stay({ latitude, longitude }, fix, isAtRest) {
    this.#until = fix.time;
    this.#isAtRest = isAtRest;
    this.#suspect = null;
    const isExact = fix.latitude === latitude && fix.longitude === longitude;
    this.#believe(isExact ? fix : { ...fix, latitude, longitude }, false);
  }
  #isPossible(from, to, km) {
    const ms = to === from && to % MINUTE_MS === 0 ? MINUTE_MS : to - from;
    return km <= POSITION_NOISE_KM + this.#maxSpeedKmh * ms / 36e5;
  }
}
export {
  POSITION_NOISE_KM,
  PositionCleaner
};
