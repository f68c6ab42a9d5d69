// The distance of a trip by its odometer, which may freeze, restart, or send 0 when missing.

/** Kilometres so far by the other sources; speeds are null when there are too few. */
export interface OtherSources {
  readonly positions: number;
  readonly speeds: number | null;
}

/** The distance driven until a time, by positions. */
export interface PathPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly km: number;
}

/** Counters may have whole units only. */
const WHOLE_KM = 1;
/** The tolerance for a counter with decimals. */
const DECIMALS_KM = 0.3;

interface Reading {
  readonly time: number;
  readonly km: number;
  /** Updated by the position after the reading. */
  otherSources: OtherSources;
}

export class Odometer {
  readonly #fastestKmh: number;
  readings = 0;
  /** Counted kilometres, without the stretches in `kmByPositions`. */
  km = 0;
  /** All stretches but the last in which it froze or restarted while the vehicle moved. */
  #kmByPositions = 0;
  #stretch: readonly [from: Reading, to: Reading] | null = null;
  /** The last reading before the trip, dated at its start. */
  #before: Reading | null = null;
  /** The time of the last reading, accepted or not. */
  #readAt = Number.NEGATIVE_INFINITY;
  #first: Reading | null = null;
  #last: Reading | null = null;
  /** The last reading with a new value. */
  #lastIncreased: Reading | null = null;
  /** A reading that contradicts the last one. Accepted when the next reading agrees with it. */
  #suspect: Reading | null = null;
  #hasDecimals = false;
  /** True after one restart. A counter that restarts twice is not an odometer in km. */
  #hasRestarted = false;
  #isBroken = false;

  constructor(fastestKmh: number) {
    this.#fastestKmh = fastestKmh;
  }

  add(time: number, km: number, otherSources: OtherSources): void {
    // Some devices send a negative value for a missing one.
    if (km < 0) return;
    if (!Number.isFinite(km)) {
      this.#isBroken = true;
      return;
    }
    const reading = { time, km, otherSources };
    this.#readAt = time;
    this.#beginWith(reading);
    const last = this.#last;
    if (last === null) {
      this.#startAt(reading);
      return;
    }
    if (this.#isPossible(last, reading)) {
      this.#addAccepted(reading);
      return;
    }
    const suspect = this.#suspect;
    if (suspect === null || !this.#isPossible(suspect, reading)) {
      this.#suspect = reading;
      return;
    }
    this.#restart(suspect);
    this.#addAccepted(reading);
  }

  /**
   * Adds a reading from before the trip. It is the start if the first reading of the trip agrees.
   */
  addBefore(start: number, km: number): void {
    this.#before = { time: start, km, otherSources: { positions: 0, speeds: 0 } };
  }

  /** Adds a reading from after the trip: the end, if it agrees with an earlier last reading. */
  addAfter(end: number, km: number, otherSources: OtherSources): void {
    const reading = { time: end, km, otherSources };
    this.#beginWith(reading);
    const last = this.#last;
    if (last !== null && last.time < end && this.#isPossible(last, reading)) this.#addAccepted(reading);
  }

  /** Divides a path between the readings on it: positions and odometer count no second twice. */
  takeStep(from: PathPoint, to: PathPoint): void {
    if (this.#readAt <= from.time) return;
    for (const reading of [this.#first, this.#last, this.#lastIncreased, this.#suspect, ...(this.#stretch ?? [])]) {
      if (reading === null || reading.time <= from.time) continue;
      const share = Math.min(1, (reading.time - from.time) / (to.time - from.time));
      reading.otherSources = { ...reading.otherSources, positions: from.km + share * (to.km - from.km) };
    }
  }

  /** Kilometres of the stretches in which it froze or restarted while the vehicle moved. */
  get kmByPositions(): number {
    return this.#kmByPositions + (this.#stretch === null ? 0 : positionsBetween(...this.#stretch));
  }

  /** The first accepted reading, which may be from before the trip, and the last one. */
  get ends(): readonly [first: number | null, last: number | null] {
    return [this.#first?.km ?? null, this.#last?.km ?? null];
  }

  /** True with enough readings, and no sign of another kind of counter. */
  get isUsable(): boolean {
    return this.readings > 1 && !this.#isBroken;
  }

  /** The other sources at the first and the last reading. */
  get span(): { readonly first: OtherSources; readonly last: OtherSources } | null {
    return this.#first === null || this.#last === null
      ? null
      : { first: this.#first.otherSources, last: this.#last.otherSources };
  }

  /** Kilometres by positions since a frozen counter last increased; 0 when not frozen. */
  get kmSinceFrozen(): number {
    const [lastIncreased, last] = [this.#lastIncreased, this.#last];
    return lastIncreased === null || last === null || !this.#isFrozen(lastIncreased, last)
      ? 0
      : positionsBetween(lastIncreased, last);
  }

  /** The possible error of a correct counter. */
  get tolerance(): number {
    return this.#hasDecimals ? DECIMALS_KM : WHOLE_KM;
  }

  /**
   * Returns the kilometres from the last reading, which must be at `time`, to another one; null
   * when it is not exact enough or not accepted.
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
    this.#lastIncreased = reading;
    this.#accept(reading);
  }

  #accept(reading: Reading): void {
    this.#hasDecimals ||= !Number.isInteger(reading.km);
    this.readings++;
    this.#last = reading;
    this.#suspect = null;
  }

  #addAccepted(reading: Reading): void {
    this.#accept(reading);
    const lastIncreased = this.#lastIncreased;
    if (lastIncreased === null || reading.km === lastIncreased.km) return;
    if (this.#isFrozen(lastIncreased, reading)) this.#replace(lastIncreased, reading);
    else this.km += reading.km - lastIncreased.km;
    this.#lastIncreased = reading;
  }

  /** Continues from another value. The distance in between is known by positions only. */
  #restart(reading: Reading): void {
    const lastIncreased = this.#lastIncreased;
    if (lastIncreased !== null) this.#replace(lastIncreased, reading);
    this.#isBroken ||= this.#hasRestarted;
    this.#hasRestarted = true;
    this.#accept(reading);
    this.#lastIncreased = reading;
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

  /** Returns true when it froze for all or most of the time while the vehicle moved. */
  #isFrozen(from: Reading, to: Reading): boolean {
    const km = to.km - from.km;
    const kmByPositions = positionsBetween(from, to);
    if (kmByPositions <= 1.25 * km + this.#frozenTolerance) return false;
    const [before, after] = [from.otherSources.speeds, to.otherSources.speeds];
    return before === null || after === null || after - before > kmByPositions / 2;
  }

  get #frozenTolerance(): number {
    // A counter that has never increased is worse than positions, even over a short distance.
    return this.#lastIncreased === this.#first && this.km === 0 ? NOISE_KM : this.tolerance;
  }
}

/** Within this distance, a counter that has not increased is accepted. */
const NOISE_KM = 0.1;

function positionsBetween(from: Reading, to: Reading): number {
  return Math.max(0, to.otherSources.positions - from.otherSources.positions);
}
