const WHOLE_KM = 1;
const DECIMALS_KM = 0.3;
class Odometer {
  #fastestKmh;
  /** Number of readings that are believed. */
  readings = 0;
  /** Kilometres that it counted, without the stretches in `kmByPositions`. */
  km = 0;
  /** The stretches but the last one in which it stood still or started again while the vehicle moved. */
  #kmByPositions = 0;
  #stretch = null;
  /** The last reading before the trip, as that of its start. */
  #before = null;
  /** When the last reading was taken, believed or not. */
  #readAt = Number.NEGATIVE_INFINITY;
  #first = null;
  /** The last reading that is believed. */
  #last = null;
  /** The last reading with a new value. */
  #risen = null;
  /** A reading that does not fit the last one. It counts when the next reading agrees with it. */
  #suspect = null;
  #hasDecimals = false;
  /** Whether it has started again once. A counter that does so twice has other units, or is none. */
  #hasRestarted = false;
  #isBroken = false;
  constructor(fastestKmh) {
    this.#fastestKmh = fastestKmh;
  }
  add(time, km, witnesses) {
    if (km < 0) return;
    if (!Number.isFinite(km)) {
      this.#isBroken = true;
      return;
    }
    const reading = { time, km, witnesses };
    this.#readAt = time;
    this.#beginWith(reading);
    const last = this.#last;
    if (last === null) {
      this.#startAt(reading);
      return;
    }
    if (this.#isPossible(last, reading)) {
      this.#rise(reading);
      return;
    }
    const doubted = this.#suspect;
    if (doubted === null || !this.#isPossible(doubted, reading)) {
      this.#suspect = reading;
      return;
    }
    this.#startAgain(doubted);
    this.#rise(reading);
  }
  /** Takes a reading from before the trip. It counts as that of the start, if the first reading of the trip agrees with it. */
  addBefore(start, km) {
    this.#before = { time: start, km, witnesses: { positions: 0, speeds: 0 } };
  }
  /** Takes a reading from after the trip. It counts as that of the end, if there is none and it agrees with the last one. */
  addAfter(end, km, witnesses) {
    const reading = { time: end, km, witnesses };
    this.#beginWith(reading);
    const last = this.#last;
    if (last !== null && last.time < end && this.#isPossible(last, reading)) this.#rise(reading);
  }
  /** Divides the way to the next position among the readings on it, so that positions and odometer count no second twice. */
  takeStep(from, to) {
    if (this.#readAt <= from.time) return;
    for (const reading of [this.#first, this.#last, this.#risen, this.#suspect, ...this.#stretch ?? []]) {
      if (reading === null || reading.time <= from.time) continue;
      const share = Math.min(1, (reading.time - from.time) / (to.time - from.time));
      reading.witnesses = { ...reading.witnesses, positions: from.km + share * (to.km - from.km) };
    }
  }
  /** Kilometres of the stretches in which it stood still or started again while the vehicle moved. */
  get kmByPositions() {
    return this.#kmByPositions + (this.#stretch === null ? 0 : positionsBetween(...this.#stretch));
  }
  /** Whether there are enough readings, and no sign that it is not an odometer. */
  get isUsable() {
    return this.readings > 1 && !this.#isBroken;
  }
  /** What the others said at the first and at the last reading. */
  get span() {
    return this.#first === null || this.#last === null ? null : { first: this.#first.witnesses, last: this.#last.witnesses };
  }
  /** The kilometres since it has last risen, by positions, if the vehicle has moved meanwhile: else 0. */
  get kmSinceFrozen() {
    const [risen, last] = [this.#risen, this.#last];
    return risen === null || last === null || !this.#isFrozen(risen, last) ? 0 : positionsBetween(risen, last);
  }
  /** How far it may be off without being wrong. */
  get tolerance() {
    return this.#hasDecimals ? DECIMALS_KM : WHOLE_KM;
  }
  /**
   * Kilometres to another reading from the last one, or from that before the trip, if that was at this time; null when it is not exact
   * enough, or not believed.
   */
  stepFrom(time, to, km) {
    const last = this.#last ?? this.#before;
    const hasDecimals = this.#hasDecimals || !Number.isInteger(km);
    if (last === null || last.time !== time || !hasDecimals || this.#isBroken) return null;
    const step = km - last.km;
    return this.#isPossibleStep(step, to - time) ? step : null;
  }
  #beginWith(reading) {
    const before = this.#before;
    this.#before = null;
    if (before !== null && before.time < reading.time && this.#isPossible(before, reading)) this.#startAt(before);
  }
  #startAt(reading) {
    this.#first = reading;
    this.#risen = reading;
    this.#trust(reading);
  }
  #trust(reading) {
    this.#hasDecimals ||= !Number.isInteger(reading.km);
    this.readings++;
    this.#last = reading;
    this.#suspect = null;
  }
  #rise(reading) {
    this.#trust(reading);
    const risen = this.#risen;
    if (risen === null || reading.km === risen.km) return;
    if (this.#isFrozen(risen, reading)) this.#replace(risen, reading);
    else this.km += reading.km - risen.km;
    this.#risen = reading;
  }
  /** It goes on from another value. What lies between is known by the positions only. */
  #startAgain(reading) {
    const risen = this.#risen;
    if (risen !== null) this.#replace(risen, reading);
    this.#isBroken ||= this.#hasRestarted;
    this.#hasRestarted = true;
    this.#trust(reading);
    this.#risen = reading;
  }
  #replace(from, to) {
    this.#kmByPositions = this.kmByPositions;
    this.#stretch = [from, to];
  }
  #isPossible(from, to) {
    return this.#isPossibleStep(to.km - from.km, to.time - from.time);
  }
  #isPossibleStep(km, ms) {
    return km >= 0 && km <= WHOLE_KM + this.#fastestKmh * ms / 36e5;
  }
  /** Whether it stood still, all or most of the time, while the vehicle moved. */
  #isFrozen(from, to) {
    const km = to.km - from.km;
    const kmByPositions = positionsBetween(from, to);
    if (kmByPositions <= 1.25 * km + this.#slack) return false;
    const [before, after] = [from.witnesses.speeds, to.witnesses.speeds];
    return before === null || after === null || after - before > kmByPositions / 2;
  }
  get #slack() {
    return this.#risen === this.#first && this.km === 0 ? NOISE_KM : this.tolerance;
  }
}
const NOISE_KM = 0.1;
function positionsBetween(from, to) {
  return Math.max(0, to.witnesses.positions - from.witnesses.positions);
}
export {
  Odometer
};
