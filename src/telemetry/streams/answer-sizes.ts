// Decides how much time of a vehicle to request at once, from the sizes of its earlier answers. The
// rates are cached for the next stream of the client; an unknown vehicle gets the average.

/** The initial size of an answer. */
const TARGET_BYTES = 4 * 1024 * 1024;
/** A day of 1,000 vehicles exceeds 2 GB: smaller answers would take hundreds of requests. */
const MAX_TARGET_BYTES = 64 * 1024 * 1024;
const MIN_TARGET_BYTES = 64 * 1024;
/** One vehicle's part: its rows are in memory, and so are the bytes of the next part. */
export const PART_BYTES = 4 * 1024 * 1024;
/** A part grows several times when a parked vehicle starts to drive. A larger one is split. */
export const MAX_PART_BYTES = 4 * PART_BYTES;
/** An answer within this time may grow. */
const QUICK_MS = 5_000;
/** The limit while a call of a higher priority waits for the answer. */
const URGENT_MS = 1_000;
const GROWTH = 2;
const SHRINK_FACTOR = 4;
const UNKNOWN_FACTOR = 8;
const DAY_MS = 86_400_000;
/** The rate of a truck at work all day: fields of trips, of trips with details, and all fields. */
const FIRST_GUESS_BYTES_PER_MS = {
  trips: (1024 * 1024) / DAY_MS,
  detailedTrips: (1.4 * 1024 * 1024) / DAY_MS,
  snapshots: (4 * 1024 * 1024) / DAY_MS,
} as const;
/** The first part of an unknown vehicle. The size of trip fields is known, others vary. */
const FIRST_PART_MS = { trips: 4 * DAY_MS, detailedTrips: 3 * DAY_MS, snapshots: 3_600_000 } as const;
/** The maximum growth from one part to the next. */
const PART_GROWTH = 16;
/** The weight of the first guess, as vehicle time: the first vehicles may be silent ones. */
const GUESSED_MS = 7 * DAY_MS;
/** A silent vehicle may start to drive, so its rate never falls below this part of the guess. */
const LEAST_PART_OF_GUESS = 1 / 50;
/** Vehicles rest and drive again, so the highest rate decays by this factor with every answer. */
const PEAK_DECAY = 0.75;
/** The maximum of cached vehicle rates, above any fleet. */
const MAX_VEHICLES = 100_000;
const MAX_SELECTIONS = 20;

export type Purpose = keyof typeof FIRST_PART_MS;

/** The rates of a client's vehicles by selection, as the size depends on the fields. */
export class RateCache {
  readonly #bySelection = new Map<string, VehicleRates>();

  of(selection: string, purpose: Purpose): VehicleRates {
    const key = `${purpose} ${selection}`;
    const cached = this.#bySelection.get(key) ?? new VehicleRates(purpose);
    if (this.#bySelection.size >= MAX_SELECTIONS) this.#bySelection.clear();
    this.#bySelection.set(key, cached);
    return cached;
  }
}

/** The bytes per millisecond of vehicles' time. */
export class VehicleRates {
  /** `ms`: the length of the last part. */
  readonly #byVehicle = new Map<string, { readonly rate: number; readonly ms: number }>();
  readonly #purpose: Purpose;
  #bytes = 0;
  #ms = 0;
  /** The last part of any vehicle. */
  #lastMs = 0;

  constructor(purpose: Purpose) {
    this.#purpose = purpose;
  }

  addSample(vehicleId: string, bytes: number, ms: number): void {
    if (ms <= 0) return;
    const rate = bytes / ms;
    const cached = this.#byVehicle.get(vehicleId);
    if (cached === undefined && this.#byVehicle.size >= MAX_VEHICLES) this.#byVehicle.clear();
    this.#byVehicle.set(vehicleId, {
      rate: cached === undefined ? rate : Math.max(rate, cached.rate * PEAK_DECAY),
      ms,
    });
    this.#bytes += bytes;
    this.#ms += ms;
    this.#lastMs = ms;
  }

  of(vehicleId: string): number {
    return Math.max(this.#byVehicle.get(vehicleId)?.rate ?? this.#averageRate, this.#guessedRate * LEAST_PART_OF_GUESS);
  }

  /**
   * Returns the rate for a caller with little memory: after a silence a vehicle may send as much as
   * any other. It falls with each silent part; otherwise empty months would take a request per few
   * hours.
   */
  cautiousRate(vehicleId: string, silentParts: number): number {
    return Math.max(this.of(vehicleId), Math.max(this.#averageRate, this.#guessedRate) / GROWTH ** silentParts);
  }

  /** Returns the longest part to request: a short part says little about the rate. */
  longestMs(vehicleId: string): number {
    return Math.max(FIRST_PART_MS[this.#purpose], PART_GROWTH * (this.#byVehicle.get(vehicleId)?.ms ?? this.#lastMs));
  }

  get #guessedRate(): number {
    return FIRST_GUESS_BYTES_PER_MS[this.#purpose];
  }

  get #averageRate(): number {
    return (this.#bytes + this.#guessedRate * GUESSED_MS) / (this.#ms + GUESSED_MS);
  }
}

/** The target size of answers: grows while they are quick, shrinks when one is too large. */
export class AnswerTarget {
  #max: number;
  #bytes: number;

  /** A caller who sets `max` has little memory: unknown vehicles may send many times as much. */
  constructor(max: number | undefined) {
    this.#max = max ?? MAX_TARGET_BYTES;
    this.#bytes = max === undefined ? TARGET_BYTES : Math.max(MIN_TARGET_BYTES, max / UNKNOWN_FACTOR);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adapts to the duration of an answer. `isUrgent`: a call of a higher priority waited for it. */
  answered(ms: number, isUrgent: boolean): void {
    // Grows after a quick answer; shrinks after one that delayed an urgent call.
    const least = Math.min(this.#bytes, TARGET_BYTES);
    if (ms < (isUrgent ? URGENT_MS / GROWTH : QUICK_MS)) this.#bytes = Math.min(this.#max, this.#bytes * GROWTH);
    else if (isUrgent && ms > URGENT_MS) this.#bytes = Math.max(least, this.#bytes * (URGENT_MS / ms));
  }

  /** Reduces the size after a failure. Returns false at the minimum. */
  shrink(): boolean {
    if (this.#bytes <= MIN_TARGET_BYTES) return false;
    this.#max = Math.max(MIN_TARGET_BYTES, this.#bytes / GROWTH);
    this.#bytes = Math.max(MIN_TARGET_BYTES, this.#bytes / SHRINK_FACTOR);
    return true;
  }
}
