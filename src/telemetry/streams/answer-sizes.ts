// How much is asked for at once. What a vehicle sends is known only from its past, so the next part of its time follows from the answers
// before it. That is kept for the next stream of the client; a vehicle that is not known yet counts as an average one.

/** Size of an answer to begin with. */
const TARGET_BYTES = 4 * 1024 * 1024;
/** A day of 1,000 vehicles is more than 2 GB: smaller answers would be hundreds of requests. */
const MAX_TARGET_BYTES = 64 * 1024 * 1024;
const MIN_TARGET_BYTES = 64 * 1024;
/** Of one vehicle in an answer: its rows are in memory as objects, and the bytes of the next part beside them. */
export const PART_BYTES = 4 * 1024 * 1024;
/** A part can become several times larger when a parked vehicle starts to drive. An even larger one is given up and asked for in shorter ones. */
export const MAX_PART_BYTES = 4 * PART_BYTES;
/** An answer that came within this time may be larger. */
const QUICK_MS = 5_000;
/** The same while calls of a higher priority wait, each for the answer that is under way. */
const URGENT_MS = 1_000;
const GROWTH = 2;
const SHRINK_FACTOR = 4;
const UNKNOWN_FACTOR = 8;
const DAY_MS = 86_400_000;
/** What a truck at work all day sends: in the fields that trips need, with their details, and in all. */
const FIRST_GUESS_BYTES_PER_MS = {
  trips: (1024 * 1024) / DAY_MS,
  detailedTrips: (1.4 * 1024 * 1024) / DAY_MS,
  snapshots: (4 * 1024 * 1024) / DAY_MS,
} as const;
/** Of a vehicle while none is known. The fields of trips are known, those of snapshots may be any. */
const FIRST_PART_MS = { trips: 4 * DAY_MS, detailedTrips: 3 * DAY_MS, snapshots: 3_600_000 } as const;
/** The next part of a vehicle is at most this many times as long as the last one. */
const PART_GROWTH = 16;
/** How much time of an average vehicle the first guess counts as: the first vehicles that are read may be silent ones. */
const GUESSED_MS = 7 * DAY_MS;
/** A vehicle that was silent may drive in the rest of the period, and a smaller answer must ask for less of it. */
const LEAST_PART_OF_GUESS = 1 / 50;
/** Vehicles rest and then drive again, so the highest rate fades by this factor with every answer. */
const PEAK_DECAY = 0.75;
/** Rates of vehicles that are kept; a fleet is smaller. */
const MAX_KNOWN = 100_000;
/** Selections whose rates are kept. */
const MAX_SELECTIONS = 20;

/** What streams are read for. */
export type Purpose = keyof typeof FIRST_PART_MS;

/** The rates of a client's vehicles, for each selection: they differ by as much as their fields. */
export class KnownRates {
  readonly #bySelection = new Map<string, VehicleRates>();

  of(selection: string, purpose: Purpose): VehicleRates {
    const key = `${purpose} ${selection}`;
    const known = this.#bySelection.get(key) ?? new VehicleRates(purpose);
    if (this.#bySelection.size >= MAX_SELECTIONS) this.#bySelection.clear();
    this.#bySelection.set(key, known);
    return known;
  }
}

/** What vehicles send, in bytes per millisecond of their time. */
export class VehicleRates {
  /** `ms`: the length of the last part. */
  readonly #known = new Map<string, { readonly rate: number; readonly ms: number }>();
  readonly #purpose: Purpose;
  #bytes = 0;
  #ms = 0;
  /** Of any vehicle. */
  #lastMs = 0;

  constructor(purpose: Purpose) {
    this.#purpose = purpose;
  }

  learn(vehicleId: string, bytes: number, ms: number): void {
    if (ms <= 0) return;
    const rate = bytes / ms;
    const known = this.#known.get(vehicleId);
    if (known === undefined && this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(vehicleId, { rate: known === undefined ? rate : Math.max(rate, known.rate * PEAK_DECAY), ms });
    this.#bytes += bytes;
    this.#ms += ms;
    this.#lastMs = ms;
  }

  of(vehicleId: string): number {
    return Math.max(this.#known.get(vehicleId)?.rate ?? this.#average, this.#guess * LEAST_PART_OF_GUESS);
  }

  /**
   * For a caller with little memory: after a silence, such as a night, a vehicle may send as much as any other. The longer it has been silent,
   * the more it is asked for: otherwise empty months would take a request for each few hours.
   */
  carefully(vehicleId: string, silentParts: number): number {
    return Math.max(this.of(vehicleId), Math.max(this.#average, this.#guess) / GROWTH ** silentParts);
  }

  /** The longest part to ask for: little is known from a short one. */
  longestMs(vehicleId: string): number {
    return Math.max(FIRST_PART_MS[this.#purpose], PART_GROWTH * (this.#known.get(vehicleId)?.ms ?? this.#lastMs));
  }

  get #guess(): number {
    return FIRST_GUESS_BYTES_PER_MS[this.#purpose];
  }

  get #average(): number {
    return (this.#bytes + this.#guess * GUESSED_MS) / (this.#ms + GUESSED_MS);
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
