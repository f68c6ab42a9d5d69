// What the odometer of a vehicle says of a trip, where it can be believed: it may freeze, start again, or be a zero that stands for
// "no counter".

/** Kilometres so far by the other sources. Speeds say nothing while there are too few of them. */
export interface Witnesses {
  readonly positions: number;
  readonly speeds: number | null;
}

/** The distance that the vehicle had driven at a time, by its positions. */
export interface PathPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly km: number;
}

/** Counters may have whole units only. */
const WHOLE_KM = 1;
/** How far a counter with decimals may be behind. */
const DECIMALS_KM = 0.3;

interface Reading {
  readonly time: number;
  readonly km: number;
  /** Changes when the position after the reading comes. */
  witnesses: Witnesses;
}

export class Odometer {
  readonly #fastestKmh: number;
  /** Number of readings that are believed. */
  readings = 0;
  /** Kilometres that it counted, without the stretches in `kmByPositions`. */
  km = 0;
  /** The stretches but the last one in which it stood still or started again while the vehicle moved. */
  #kmByPositions = 0;
  #stretch: readonly [from: Reading, to: Reading] | null = null;
  /** The last reading before the trip, as that of its start. */
  #before: Reading | null = null;
  /** When the last reading was taken, believed or not. */
  #readAt = Number.NEGATIVE_INFINITY;
  #first: Reading | null = null;
  /** The last reading that is believed. */
  #last: Reading | null = null;
  /** The last reading with a new value. */
  #risen: Reading | null = null;
  /** A reading that does not fit the last one. It counts when the next reading agrees with it. */
  #suspect: Reading | null = null;
  #hasDecimals = false;
  /** Whether it has started again once. A counter that does so twice has other units, or is none. */
  #hasRestarted = false;
  #isBroken = false;

  constructor(fastestKmh: number) {
    this.#fastestKmh = fastestKmh;
  }

  add(time: number, km: number, witnesses: Witnesses): void {
    // What some devices send in place of no value.
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
  addBefore(start: number, km: number): void {
    this.#before = { time: start, km, witnesses: { positions: 0, speeds: 0 } };
  }

  /** Takes a reading from after the trip. It counts as that of the end, if there is none and it agrees with the last one. */
  addAfter(end: number, km: number, witnesses: Witnesses): void {
    const reading = { time: end, km, witnesses };
    this.#beginWith(reading);
    const last = this.#last;
    if (last !== null && last.time < end && this.#isPossible(last, reading)) this.#rise(reading);
  }

  /** Divides the way to the next position among the readings on it, so that positions and odometer count no second twice. */
  takeStep(from: PathPoint, to: PathPoint): void {
    if (this.#readAt <= from.time) return;
    for (const reading of [this.#first, this.#last, this.#risen, this.#suspect, ...(this.#stretch ?? [])]) {
      if (reading === null || reading.time <= from.time) continue;
      const share = Math.min(1, (reading.time - from.time) / (to.time - from.time));
      reading.witnesses = { ...reading.witnesses, positions: from.km + share * (to.km - from.km) };
    }
  }

  /** Kilometres of the stretches in which it stood still or started again while the vehicle moved. */
  get kmByPositions(): number {
    return this.#kmByPositions + (this.#stretch === null ? 0 : positionsBetween(...this.#stretch));
  }

  /** Whether there are enough readings, and no sign that it is not an odometer. */
  get isUsable(): boolean {
    return this.readings > 1 && !this.#isBroken;
  }

  /** What the others said at the first and at the last reading. */
  get span(): { readonly first: Witnesses; readonly last: Witnesses } | null {
    return this.#first === null || this.#last === null
      ? null
      : { first: this.#first.witnesses, last: this.#last.witnesses };
  }

  /** The kilometres since it has last risen, by positions, if the vehicle has moved meanwhile: else 0. */
  get kmSinceFrozen(): number {
    const [risen, last] = [this.#risen, this.#last];
    return risen === null || last === null || !this.#isFrozen(risen, last) ? 0 : positionsBetween(risen, last);
  }

  /** How far it may be off without being wrong. */
  get tolerance(): number {
    return this.#hasDecimals ? DECIMALS_KM : WHOLE_KM;
  }

  /**
   * Kilometres to another reading from the last one, or from that before the trip, if that was at this time; null when it is not exact
   * enough, or not believed.
   */
  stepFrom(time: number, to: number, km: number): number | null {
    const last = this.#last ?? this.#before;
    const hasDecimals = this.#hasDecimals || !Number.isInteger(km);
    if (last === null || last.time !== time || !hasDecimals || this.#isBroken) return null;
    const step = km - last.km;
    return this.#isPossibleStep(step, to - time) ? step : null;
  }

  #beginWith(reading: Reading): void {
    const before = this.#before;
    this.#before = null;
    if (before !== null && before.time < reading.time && this.#isPossible(before, reading)) this.#startAt(before);
  }

  #startAt(reading: Reading): void {
    this.#first = reading;
    this.#risen = reading;
    this.#trust(reading);
  }

  #trust(reading: Reading): void {
    this.#hasDecimals ||= !Number.isInteger(reading.km);
    this.readings++;
    this.#last = reading;
    this.#suspect = null;
  }

  #rise(reading: Reading): void {
    this.#trust(reading);
    const risen = this.#risen;
    if (risen === null || reading.km === risen.km) return;
    if (this.#isFrozen(risen, reading)) this.#replace(risen, reading);
    else this.km += reading.km - risen.km;
    this.#risen = reading;
  }

  /** It goes on from another value. What lies between is known by the positions only. */
  #startAgain(reading: Reading): void {
    const risen = this.#risen;
    if (risen !== null) this.#replace(risen, reading);
    this.#isBroken ||= this.#hasRestarted;
    this.#hasRestarted = true;
    this.#trust(reading);
    this.#risen = reading;
  }

  #replace(from: Reading, to: Reading): void {
    this.#kmByPositions = this.kmByPositions;
    this.#stretch = [from, to];
  }

  #isPossible(from: Reading, to: Reading): boolean {
    return this.#isPossibleStep(to.km - from.km, to.time - from.time);
  }

  #isPossibleStep(km: number, ms: number): boolean {
    return km >= 0 && km <= WHOLE_KM + (this.#fastestKmh * ms) / 3_600_000;
  }

  /** Whether it stood still, all or most of the time, while the vehicle moved. */
  #isFrozen(from: Reading, to: Reading): boolean {
    const km = to.km - from.km;
    const kmByPositions = positionsBetween(from, to);
    if (kmByPositions <= 1.25 * km + this.#slack) return false;
    const [before, after] = [from.witnesses.speeds, to.witnesses.speeds];
    return before === null || after === null || after - before > kmByPositions / 2;
  }

  get #slack(): number {
    // One that has never risen is worse than positions, even on a short way.
    return this.#risen === this.#first && this.km === 0 ? NOISE_KM : this.tolerance;
  }
}

/** A counter that has not risen is believed on so short a way. */
const NOISE_KM = 0.1;

function positionsBetween(from: Reading, to: Reading): number {
  return Math.max(0, to.witnesses.positions - from.witnesses.positions);
}
