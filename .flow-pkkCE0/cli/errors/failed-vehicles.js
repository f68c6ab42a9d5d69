import { unreadableText } from "../../core/error-messages.js";
import { commandFailureOf } from "./exit-codes.js";
import { sentence } from "./sentence.js";
class FailedVehicles {
  #operation;
  #nameOf;
  #lines = [];
  /** Vehicles whose values have an unknown form, which is mostly that of all. */
  #unreadable = [];
  constructor(operation, nameOf) {
    this.#operation = operation;
    this.#nameOf = nameOf;
  }
  /** The error of a stream, which can be read again from where it failed. */
  addOfStream({ vehicleId, error, rowsGiven, resumeFrom }) {
    if (error.facts.kind === "unreadable") {
      this.#unreadable.push({ name: this.#nameOf(vehicleId), facts: error.facts });
      return;
    }
    const after = rowsGiven > 0 ? ` after ${rowsGiven} ${rowsGiven === 1 ? "row" : "rows"}` : "";
    this.#lines.push(
      `${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)} It failed${after}; the rest: --from ${resumeFrom}`
    );
  }
  add(vehicleId, error) {
    this.#lines.push(`${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)}`);
  }
  /** Call it when everything else has been printed. */
  report(report) {
    const messages = [...this.#lines, ...this.#unreadableLines()];
    if (messages.length === 0) return;
    report.partial({ operation: this.#operation, messages }, "first");
  }
  /** One line for all: to read them again would change nothing. */
  *#unreadableLines() {
    const kinds = new Set(this.#unreadable.map(({ facts }) => facts.member));
    for (const member of kinds) {
      const all = this.#unreadable.filter(({ facts }) => facts.member === member);
      const [first] = all;
      if (!first) continue;
      const snapshots = all.reduce((sum, { facts }) => sum + facts.snapshots, 0);
      const others = all.length === 2 ? "another vehicle" : `${all.length - 1} other vehicles`;
      const whose = all.length === 1 ? first.name : `${first.name} and ${others}`;
      yield `${whose}: ${unreadableText({ ...first.facts, snapshots })}`;
    }
  }
}
function vehicleFailureReason(error) {
  const { message, details } = commandFailureOf(error, false);
  return details.length > 0 ? sentence(details.join(" ")) : message;
}
export {
  FailedVehicles,
  vehicleFailureReason
};
