const TARGET_BYTES = 4 * 1024 * 1024;
const MAX_TARGET_BYTES = 64 * 1024 * 1024;
const MIN_TARGET_BYTES = 64 * 1024;
const PART_BYTES = 4 * 1024 * 1024;
const MAX_PART_BYTES = 4 * PART_BYTES;
const QUICK_MS = 5e3;
const URGENT_MS = 1e3;
const GROWTH = 2;
const SHRINK_FACTOR = 4;
const UNKNOWN_FACTOR = 8;
const DAY_MS = 864e5;
const FIRST_GUESS_BYTES_PER_MS = {
  trips: 1024 * 1024 / DAY_MS,
  detailedTrips: 1.4 * 1024 * 1024 / DAY_MS,
  snapshots: 4 * 1024 * 1024 / DAY_MS
};
const FIRST_PART_MS = { trips: 4 * DAY_MS, detailedTrips: 3 * DAY_MS, snapshots: 36e5 };
const PART_GROWTH = 16;
const GUESSED_MS = 7 * DAY_MS;
const LEAST_PART_OF_GUESS = 1 / 50;
const PEAK_DECAY = 0.75;
const MAX_KNOWN = 1e5;
const MAX_SELECTIONS = 20;
class KnownRates {
  #bySelection = /* @__PURE__ */ new Map();
  of(selection, purpose) {
    const key = `${purpose} ${selection}`;
    const known = this.#bySelection.get(key) ?? new VehicleRates(purpose);
    if (this.#bySelection.size >= MAX_SELECTIONS) this.#bySelection.clear();
    this.#bySelection.set(key, known);
    return known;
  }
}
class VehicleRates {
  /** `ms`: the length of the last part. */
  #known = /* @__PURE__ */ new Map();
  #purpose;
  #bytes = 0;
  #ms = 0;
  /** Of any vehicle. */
  #lastMs = 0;
  constructor(purpose) {
    this.#purpose = purpose;
  }
  learn(vehicleId, bytes, ms) {
    if (ms <= 0) return;
    const rate = bytes / ms;
    const known = this.#known.get(vehicleId);
    if (known === void 0 && this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(vehicleId, { rate: known === void 0 ? rate : Math.max(rate, known.rate * PEAK_DECAY), ms });
    this.#bytes += bytes;
    this.#ms += ms;
    this.#lastMs = ms;
  }
  of(vehicleId) {
    return Math.max(this.#known.get(vehicleId)?.rate ?? this.#average, this.#guess * LEAST_PART_OF_GUESS);
  }
  /**
   * For a caller with little memory: after a silence, such as a night, a vehicle may send as much as any other. The longer it has been silent,
   * the more it is asked for: otherwise empty months would take a request for each few hours.
   */
  carefully(vehicleId, silentParts) {
    return Math.max(this.of(vehicleId), Math.max(this.#average, this.#guess) / GROWTH ** silentParts);
  }
  /** The longest part to ask for: little is known from a short one. */
  longestMs(vehicleId) {
    return Math.max(FIRST_PART_MS[this.#purpose], PART_GROWTH * (this.#known.get(vehicleId)?.ms ?? this.#lastMs));
  }
  get #guess() {
    return FIRST_GUESS_BYTES_PER_MS[this.#purpose];
  }
  get #average() {
    return (this.#bytes + this.#guess * GUESSED_MS) / (this.#ms + GUESSED_MS);
  }
}
class AnswerTarget {
  #max;
  #bytes;
  /** A caller who sets `max` has little memory: the first answers, of vehicles that are not known yet, may be many times as large. */
  constructor(max) {
    this.#max = max ?? MAX_TARGET_BYTES;
    this.#bytes = max === void 0 ? TARGET_BYTES : Math.max(MIN_TARGET_BYTES, max / UNKNOWN_FACTOR);
  }
  get bytes() {
    return this.#bytes;
  }
  /** An answer arrived after this time. `isUrgent`: meanwhile a call of a higher priority waited for it. */
  answered(ms, isUrgent) {
    const least = Math.min(this.#bytes, TARGET_BYTES);
    if (ms < (isUrgent ? URGENT_MS / GROWTH : QUICK_MS)) this.#bytes = Math.min(this.#max, this.#bytes * GROWTH);
    else if (isUrgent && ms > URGENT_MS) this.#bytes = Math.max(least, this.#bytes * (URGENT_MS / ms));
  }
  /** Answers of this size fail, and will not be asked for again. False when they cannot be asked for any smaller. */
  shrink() {
    if (this.#bytes <= MIN_TARGET_BYTES) return false;
    this.#max = Math.max(MIN_TARGET_BYTES, this.#bytes / GROWTH);
    this.#bytes = Math.max(MIN_TARGET_BYTES, this.#bytes / SHRINK_FACTOR);
    return true;
  }
}
export {
  AnswerTarget,
  KnownRates,
  MAX_PART_BYTES,
  PART_BYTES,
  VehicleRates
};
