import { DegradedMode } from "./degraded-mode.js";
const MAX_MERGED = 50;
const FIRST_QUIET_MS = 10 * 6e4;
const MAX_QUIET_MS = 24 * 60 * 6e4;
const PROOF_IN_A_ROW = 3;
const RESUMED = {
  code: "MERGING_RESUMED",
  message: "Queries that wait together are sent in one document again, to find out whether the service accepts it now."
};
class Merging {
  #max;
  #warn;
  #mode;
  /** Most fields while the mode is on. */
  #limit = 1;
  #refusedInARow = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;
  /** `max`: most root fields in one document; 0: nothing is merged. */
  constructor(max, timers, warn) {
    this.#max = max;
    this.#warn = warn;
    this.#mode = new DegradedMode(timers, { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS }, () => {
      this.#forget();
      warn(RESUMED);
    });
  }
  /** Most root fields in one document now. */
  get max() {
    return this.#mode.isOn ? Math.min(this.#limit, this.#max) : this.#max;
  }
  /** The service accepted a document with this number of fields. */
  succeeded(fields) {
    if (fields >= this.#smallestRefused) this.#forget();
  }
  /**
   * A document with this number of fields failed, and each of its fields succeeded in a smaller one. `largest`: the most fields that succeeded
   * together; 1: each of them alone.
   */
  refused(fields, largest, isProof) {
    this.#refusedInARow++;
    this.#smallestRefused = Math.min(this.#smallestRefused, fields);
    const isEnough = isProof && largest === 1;
    if (!isEnough && this.#refusedInARow < PROOF_IN_A_ROW) return;
    this.#limit = Math.max(1, largest);
    if (this.#mode.begin()) this.#warn(this.#stopped());
  }
  #stopped() {
    const minutes = Math.round(this.#mode.quietMs / 6e4);
    const how = this.#limit === 1 ? "The service refused several queries in one document and answered each of them alone. Each query is sent by itself, one after the other" : `The service refused larger documents and answered their queries in smaller ones. At most ${this.#limit} queries are sent in one document`;
    return {
      code: "MERGING_STOPPED",
      message: `${how}; in ${minutes} minutes this is tried again. { merge: ${this.#limit === 1 ? "false" : `{ max: ${this.#limit} }`} } does so from the start.`
    };
  }
  #forget() {
    this.#refusedInARow = 0;
    this.#smallestRefused = Number.POSITIVE_INFINITY;
  }
}
class MergeTrial {
  #merging;
  #fields;
  #isProof;
  #unconfirmed;
  #largest = 0;
  /** `isProof`: the failure was a refusal of the document itself. */
  constructor(merging, fields, isProof) {
    this.#merging = merging;
    this.#fields = fields;
    this.#isProof = isProof;
    this.#unconfirmed = fields;
  }
  /**
   * This number of fields succeeded in one document. For a field that fails, or whose callers leave, nobody calls this, and the trial ends
   * without a result.
   */
  succeeded(fields) {
    this.#unconfirmed -= fields;
    this.#largest = Math.max(this.#largest, fields);
    if (this.#unconfirmed === 0) this.#merging.refused(this.#fields, this.#largest, this.#isProof);
  }
}
export {
  MAX_MERGED,
  MergeTrial,
  Merging
};
