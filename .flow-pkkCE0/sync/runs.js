import { FleetError } from "fleet-telematics";
import { sdkVersion } from "fleet-telematics/kit";
import { jsonText } from "./json.js";
import { isOfVehicles, syncParts } from "./parts.js";
const KEPT_RUNS = 1e5;
const KEPT_MESSAGES = 20;
const PART_COLUMNS = ["part", "complete_until", "complete_at", "read_at", "failures", "run_id"];
const notEnded = {
  ...{ endedAt: null, outcome: null, readUntil: null },
  ...{ rowsRead: null, failures: null, messages: null }
};
class RunLog {
  #copy;
  #plan;
  #beganAt = "";
  constructor(copy, plan) {
    this.#copy = copy;
    this.#plan = plan;
  }
  async begin() {
    const { runId } = this.#copy;
    await this.#copy.note((at) => {
      this.#beganAt = at;
      return [
        { kind: "upsert", table: "sync_runs", rows: [this.#row(notEnded)] },
        { kind: "upsert", table: "sync_state", rows: [["last_run", String(runId)]] },
        { kind: "delete", table: "sync_runs", column: "id", values: [runId - KEPT_RUNS] }
      ];
    });
  }
  async end(report) {
    const { tables, failures, warnings, until } = report;
    const before = await this.#copy.read("sync_parts", PART_COLUMNS);
    await this.#copy.note((at) => {
      const run = this.#row({
        endedAt: at,
        outcome: failures.length === 0 ? "complete" : "incomplete",
        readUntil: until,
        rowsRead: tables.reduce((sum, { read }) => sum + read, 0),
        failures: failures.length,
        messages: [...failures.map(({ error }) => error.message), ...warnings.map(({ message }) => message)]
      });
      const parts = syncParts.filter((part) => this.#plan.parts.has(part)).map(
        (part) => this.#partRow(
          part,
          before.find(([name]) => name === part),
          report,
          at
        )
      );
      return [
        { kind: "upsert", table: "sync_runs", rows: [run] },
        { kind: "upsert", table: "sync_parts", rows: parts }
      ];
    });
  }
  /** Notes the error that has ended the sync. When it was the database, nothing can be noted. */
  async failed(error) {
    const isInterrupted = this.#plan.signal?.aborted === true;
    const message = FleetError.is(error) || error instanceof Error ? error.message : String(error);
    const end = isInterrupted ? {
      ...notEnded,
      outcome: "interrupted",
      messages: ["The sync was interrupted. The next one goes on from there."]
    } : { ...notEnded, outcome: "failed", messages: [message] };
    const steps = (at) => [
      { kind: "upsert", table: "sync_runs", rows: [this.#row({ ...end, endedAt: at })] }
    ];
    await this.#copy.note(steps).catch(() => void 0);
  }
  #row({ endedAt, outcome, readUntil, rowsRead, failures, messages }) {
    const { written, deleted } = this.#copy.total;
    const counts = endedAt === null ? [null, null] : [written, deleted];
    return [
      ...[this.#copy.runId, this.#beganAt, endedAt, outcome, jsonText([...this.#plan.parts]), readUntil],
      ...[rowsRead, ...counts, failures],
      ...[messages === null ? null : jsonText(messages.slice(0, KEPT_MESSAGES)), sdkVersion]
    ];
  }
  /** A sync of some vehicles says nothing about the others. */
  #partRow(part, before, { failures, until }, at) {
    const own = failures.filter((failure) => failure.part === part);
    const { vehicleIds, groupIds } = this.#plan;
    const isOfAll = !isOfVehicles(part) || vehicleIds === void 0 && groupIds === void 0;
    const isComplete = isOfAll && own.every(({ kind }) => kind === "unstored");
    const complete = isComplete ? [until, at] : [before?.[1] ?? null, before?.[2] ?? null];
    return [part, ...complete, at, own.length, this.#copy.runId];
  }
}
export {
  RunLog
};
