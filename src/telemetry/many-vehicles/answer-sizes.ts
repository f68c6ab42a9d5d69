// How much fits into one answer. What a vehicle sends is learned from its answers and kept for the next stream of the client; a vehicle
// that is not known yet counts as an average one.

/** Size of an answer to begin with. */
const TARGET_BYTES = 4 * 1024 * 1024;
/** A day of 1,000 vehicles is more than 2 GB: smaller answers would be hundreds of requests. */
const MAX_TARGET_BYTES = 64 * 1024 * 1024;
const MIN_TARGET_BYTES = 64 * 1024;
/** An answer that came within this time may be larger. */
const QUICK_MS = 5_000;
/** The same while calls of a higher priority wait, each for the answer that is under way. */
const URGENT_MS = 1_000;
const GROWTH = 2;
const SHRINK_FACTOR = 4;
const UNKNOWN_FACTOR = 8;
/** A truck at work all day. */
const FIRST_GUESS_BYTES_PER_MS = (1024 * 1024) / 86_400_000;
/** How much time of an average vehicle the first guess counts as: the first vehicles that are read may be silent ones. */
const GUESSED_MS = 7 * 86_400_000;
/** A vehicle that was silent may drive in the rest of the period, and a smaller answer must ask for less of it. */
const LEAST_BYTES_PER_MS = FIRST_GUESS_BYTES_PER_MS / 50;
/** The least that a caller with little memory counts with: a truck at work sends as much, in the fields that trips need and in all. */
const CAREFUL_BYTES_PER_MS = { trips: FIRST_GUESS_BYTES_PER_MS, snapshots: 4 * FIRST_GUESS_BYTES_PER_MS } as const;
/** Weight of the newest answer against what is known of a vehicle. */
const NEWEST = 0.5;
/** Rates of vehicles that are kept; a fleet is smaller. */
const MAX_KNOWN = 100_000;

/** What the vehicles of a client send, in bytes per millisecond of their time. Trips are read from a few fields only, so theirs are apart. */
export class VehicleRates {
  readonly #rates = new Map<string, number>();
  readonly #careful: number;
  #bytes = 0;
  #ms = 0;

  constructor(read: keyof typeof CAREFUL_BYTES_PER_MS) {
    this.#careful = CAREFUL_BYTES_PER_MS[read];
  }

  learn(vehicleId: string, bytes: number, ms: number): void {
    if (ms <= 0) return;
    const rate = bytes / ms;
    const known = this.#rates.get(vehicleId);
    if (known === undefined && this.#rates.size >= MAX_KNOWN) this.#rates.clear();
    this.#rates.set(vehicleId, known === undefined ? rate : known + (rate - known) * NEWEST);
    this.#bytes += bytes;
    this.#ms += ms;
  }

  of(vehicleId: string): number {
    return Math.max(this.#rates.get(vehicleId) ?? this.#average, LEAST_BYTES_PER_MS);
  }

  /** For a caller with little memory: after a silence, such as a night, a vehicle may send as much as any other. */
  carefully(vehicleId: string): number {
    return Math.max(this.of(vehicleId), this.#average, this.#careful);
  }

  get #average(): number {
    return (this.#bytes + FIRST_GUESS_BYTES_PER_MS * GUESSED_MS) / (this.#ms + GUESSED_MS);
  }
}

/** The size that answers of one stream should have: it grows while they are quick, and shrinks when one fails for its size. */
export class AnswerTarget {
  #max: number;
  #bytes: number;

  /** A caller who sets `max` has little memory: the first answers, of vehicles that are not known yet, may be many times as large. */
  constructor(max: number | undefined) {
    this.#max = max ?? MAX_TARGET_BYTES;
    this.#bytes = max === undefined ? TARGET_BYTES : Math.max(MIN_TARGET_BYTES, max / UNKNOWN_FACTOR);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** An answer arrived after this time. `isUrgent`: meanwhile a call of a higher priority waited for it. */
  answered(ms: number, isUrgent: boolean): void {
    const least = Math.min(this.#bytes, TARGET_BYTES);
    if (ms < (isUrgent ? URGENT_MS / GROWTH : QUICK_MS)) this.#bytes = Math.min(this.#max, this.#bytes * GROWTH);
    else if (isUrgent && ms > URGENT_MS) this.#bytes = Math.max(least, this.#bytes * (URGENT_MS / ms));
  }

  /** Answers of this size fail, and will not be asked for again. False when they cannot be asked for any smaller. */
  shrink(): boolean {
    if (this.#bytes <= MIN_TARGET_BYTES) return false;
    this.#max = Math.max(MIN_TARGET_BYTES, this.#bytes / GROWTH);
    this.#bytes = Math.max(MIN_TARGET_BYTES, this.#bytes / SHRINK_FACTOR);
    return true;
  }
}
