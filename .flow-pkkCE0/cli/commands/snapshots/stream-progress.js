import { DAY_MS } from "../../../core/time-zone.js";
import { timestampMs } from "../../../telemetry/timestamps.js";
import { serviceNow } from "../../context/context.js";
import { progressOn } from "../../context/progress.js";
import { PROGRESS_EVERY_ROWS, ReadShare } from "../../context/read-share.js";
import { CliError } from "../../errors/cli-error.js";
import { commandFailureOf } from "../../errors/exit-codes.js";
import { timestamp } from "../../parse/time.js";
import { localDate } from "../../time/local-time.js";
import { wholeNumber } from "../../views/humanize.js";
class SnapshotStreamProgress {
  #context;
  #progress;
  #days;
  #from;
  #rowsAreVisible;
  #share;
  #count = 0;
  #last = null;
  #vehicles = /* @__PURE__ */ new Set();
  constructor(run, from, to, vehicles) {
    this.#context = run;
    this.#progress = progressOn(run);
    this.#rowsAreVisible = run.io.stdout.isTTY === true && run.globals.sort === void 0;
    this.#from = from;
    this.#days = Math.ceil((to - from) / DAY_MS);
    this.#share = new ReadShare({ from, to: Math.min(to, serviceNow(run)), vehicles });
  }
  async *follow(rows) {
    this.#progress.show("waiting for the first rows");
    for await (const row of rows) {
      this.#last = row;
      if (row.vehicleId) this.#vehicles.add(row.vehicleId);
      this.#share.take(row.vehicleId ?? "", row.timestamp);
      if (this.#count++ % PROGRESS_EVERY_ROWS === 0) {
        if (this.#rowsAreVisible) this.clear();
        else this.#update();
      }
      yield row;
    }
    this.clear();
  }
  /** A vehicle has no more rows. */
  finish(vehicleId) {
    this.#share.reach(vehicleId, Number.POSITIVE_INFINITY);
  }
  clear() {
    this.#progress.clear();
  }
  /** Adds to an SDK failure how many rows arrived before it, and how to get the rest. */
  explain(error) {
    const { io, globals } = this.#context;
    const failure = commandFailureOf(error, io.signal.aborted, globals.timeout);
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    const reached = timestampMs(this.#last?.timestamp);
    const upTo = reached === null ? "" : `, the last one from ${timestamp(reached)}`;
    return new CliError(
      failure.code,
      `${failure.message} ${wholeNumber(this.#count)} rows had arrived before${upTo}.`,
      {
        hint: reached === null ? failure.hint ?? void 0 : `Request the rest with --from ${timestamp(reached)}.`,
        operation: failure.operation ?? void 0,
        details: failure.details,
        cause: error
      }
    );
  }
  /** The same for a stream of several vehicles, which cannot be read again from one time. */
  explainMany(error, vehicles) {
    const { io, globals } = this.#context;
    const failure = commandFailureOf(error, io.signal.aborted, globals.timeout);
    const read = `${wholeNumber(this.#count)} rows of ${this.#vehicles.size} of ${vehicles} vehicles had arrived`;
    if (failure.code === "ABORTED") {
      return new CliError("ABORTED", "Interrupted.", { hint: `${read}; the rest is missing.`, cause: error });
    }
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    return new CliError(failure.code, `${failure.message} ${read} before.`, {
      hint: failure.hint ?? void 0,
      operation: failure.operation ?? void 0,
      details: failure.details,
      cause: error
    });
  }
  #update() {
    const reached = timestampMs(this.#last?.timestamp);
    const rows = `${wholeNumber(this.#count)} ${this.#count === 1 ? "row" : "rows"}`;
    const day = reached === null ? "" : `, ${localDate(reached, this.#context.zone.name)} (${this.#dayOf(reached)})`;
    this.#progress.show(`${rows}${day}, ${this.#share.text}`);
  }
  #dayOf(moment) {
    return `day ${Math.max(1, Math.floor((moment - this.#from) / DAY_MS) + 1)} of ${this.#days}`;
  }
}
function isSdkFailure(code) {
  return /^(NETWORK|TIMEOUT|RATE_LIMIT|HTTP|GRAPHQL|PROTOCOL|AUTHENTICATION|SESSION_EXPIRED)$/.test(code);
}
export {
  SnapshotStreamProgress
};
