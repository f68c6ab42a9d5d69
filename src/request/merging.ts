// How many queries may be sent as one document. A service that refuses merged documents gets each query by itself for a while, and then a
// merged one again. Only a refusal of the document proves that; what any request can meet (500, 403, the page of a network's login) does
// so when it happens several times in a row, while every query succeeds by itself.
import type { Warning } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import { DegradedMode } from './degraded-mode.js';

/** Most root fields in one document, unless the client says otherwise. */
export const MAX_MERGED = 50;

/** When the service refuses merged documents, merging is tried again after this time; each time that fails the time doubles. */
const FIRST_QUIET_MS = 10 * 60_000;

/** Longest time without merging. */
const MAX_QUIET_MS = 24 * 60 * 60_000;

/** When one refused document proves nothing, this many in a row do. */
const PROOF_IN_A_ROW = 3;

const RESUMED: Warning = {
  code: 'MERGING_RESUMED',
  message: 'Queries that wait together are sent in one document again, to find out whether the service accepts it now.',
};

export class Merging {
  readonly #max: number;
  readonly #warn: (event: Warning) => void;
  readonly #mode: DegradedMode;
  /** Most fields while the mode is on. */
  #limit = 1;
  #refusedInARow = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;

  /** `max`: most root fields in one document; 0: nothing is merged. */
  constructor(max: number, timers: Pick<Timers, 'now'>, warn: (event: Warning) => void) {
    this.#max = max;
    this.#warn = warn;
    this.#mode = new DegradedMode(timers, { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS }, () => {
      this.#forget();
      warn(RESUMED);
    });
  }

  /** Most root fields in one document now. */
  get max(): number {
    return this.#mode.isOn ? Math.min(this.#limit, this.#max) : this.#max;
  }

  /** The service accepted a document with this number of fields. */
  succeeded(fields: number): void {
    if (fields >= this.#smallestRefused) this.#forget();
  }

  /**
   * A document with this number of fields failed, and each of its fields succeeded in a smaller one. `largest`: the most fields that succeeded
   * together; 1: each of them alone.
   */
  refused(fields: number, largest: number, isProof: boolean): void {
    this.#refusedInARow++;
    this.#smallestRefused = Math.min(this.#smallestRefused, fields);
    // Fields that succeed together show that merging works: perhaps the document was too large, perhaps it was chance.
    const isEnough = isProof && largest === 1;
    if (!isEnough && this.#refusedInARow < PROOF_IN_A_ROW) return;
    this.#limit = Math.max(1, largest);
    if (this.#mode.begin()) this.#warn(this.#stopped());
  }

  #stopped(): Warning {
    const minutes = Math.round(this.#mode.quietMs / 60_000);
    const how =
      this.#limit === 1
        ? 'The service refused several queries in one document and answered each of them alone. Each query is sent by itself, one after the other'
        : `The service refused larger documents and answered their queries in smaller ones. At most ${this.#limit} queries are sent in one document`;
    return {
      code: 'MERGING_STOPPED',
      message: `${how}; in ${minutes} minutes this is tried again. { merge: ${this.#limit === 1 ? 'false' : `{ max: ${this.#limit} }`} } does so from the start.`,
    };
  }

  #forget(): void {
    this.#refusedInARow = 0;
    this.#smallestRefused = Number.POSITIVE_INFINITY;
  }
}

/** What becomes of the fields of a document that failed, when they are sent again in smaller ones. */
export class MergeTrial {
  readonly #merging: Merging;
  readonly #fields: number;
  readonly #isProof: boolean;
  #unconfirmed: number;
  #largest = 0;

  /** `isProof`: the failure was a refusal of the document itself. */
  constructor(merging: Merging, fields: number, isProof: boolean) {
    this.#merging = merging;
    this.#fields = fields;
    this.#isProof = isProof;
    this.#unconfirmed = fields;
  }

  /**
   * This number of fields succeeded in one document. For a field that fails, or whose callers leave, nobody calls this, and the trial ends
   * without a result.
   */
  succeeded(fields: number): void {
    this.#unconfirmed -= fields;
    this.#largest = Math.max(this.#largest, fields);
    if (this.#unconfirmed === 0) this.#merging.refused(this.#fields, this.#largest, this.#isProof);
  }
}
