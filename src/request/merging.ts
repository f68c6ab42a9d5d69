// Limits how many queries are sent as one document. A service that refuses merged documents gets
// single queries for a while. A refusal of the document is proof. Failures that any request can
// have (500, 403, a login page) are proof only after several in a row, while each query succeeds
// alone.
import type { Warning } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import { DegradedMode } from './degraded-mode.js';

/** Default limit of root fields in one document. */
export const MAX_MERGED = 50;

/** Time without merging after a refusal; it doubles with each further refusal. */
const FIRST_QUIET_MS = 10 * 60_000;

const MAX_QUIET_MS = 24 * 60 * 60_000;

/** Number of consecutive refusals that prove that the service does not accept merged documents. */
const PROOF_IN_A_ROW = 3;

const RESUMED: Warning = {
  code: 'MERGING_RESUMED',
  message: 'Queries that wait together are sent in one document again, to find out whether the service accepts it now.',
};

export class Merging {
  readonly #max: number;
  readonly #warn: (event: Warning) => void;
  readonly #mode: DegradedMode;
  #limit = 1;
  #refusedInARow = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;

  /** `max`: limit of root fields in one document; 0 disables merging. */
  constructor(max: number, timers: Pick<Timers, 'now'>, warn: (event: Warning) => void) {
    this.#max = max;
    this.#warn = warn;
    this.#mode = new DegradedMode(timers, { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS }, () => {
      this.#forget();
      warn(RESUMED);
    });
  }

  get max(): number {
    return this.#mode.isOn ? Math.min(this.#limit, this.#max) : this.#max;
  }

  /** Records that a document with this number of fields succeeded. */
  succeeded(fields: number): void {
    if (fields >= this.#smallestRefused) this.#forget();
  }

  /**
   * Records that a document failed whose fields all succeeded in smaller ones. `largest`: most
   * fields that succeeded together; 1: each field alone.
   */
  refused(fields: number, largest: number, isProof: boolean): void {
    this.#refusedInARow++;
    this.#smallestRefused = Math.min(this.#smallestRefused, fields);
    // Success in smaller documents: the document was too large, or failed by chance.
    const isEnough = isProof && largest === 1;
    if (!isEnough && this.#refusedInARow < PROOF_IN_A_ROW) return;
    this.#limit = Math.max(1, largest);
    if (this.#mode.begin()) this.#warn(this.#stoppedWarning());
  }

  #stoppedWarning(): Warning {
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

/** The fields of a document that failed, while they are sent again in smaller documents. */
export class MergeTrial {
  readonly #merging: Merging;
  readonly #fields: number;
  readonly #isProof: boolean;
  #unconfirmed: number;
  #largest = 0;

  /** `isProof`: the service refused the document itself. */
  constructor(merging: Merging, fields: number, isProof: boolean) {
    this.#merging = merging;
    this.#fields = fields;
    this.#isProof = isProof;
    this.#unconfirmed = fields;
  }

  /**
   * Records a success of this many fields. Without a call for each field, the trial has no result.
   */
  succeeded(fields: number): void {
    this.#unconfirmed -= fields;
    this.#largest = Math.max(this.#largest, fields);
    if (this.#unconfirmed === 0) this.#merging.refused(this.#fields, this.#largest, this.#isProof);
  }
}
