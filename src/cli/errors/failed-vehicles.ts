// Collects failed vehicles of a command for many. They are reported in one line each (exit code 6).
import type { FactsOf } from '../../core/error-facts.js';
import { unreadableText } from '../../core/error-messages.js';
import type { VehicleFailure } from '../../index.js';
import { commandFailureOf } from './exit-codes.js';
import type { PartialResult } from './partial-result.js';
import { asSentence } from './sentence.js';

export class FailedVehicles {
  readonly #operation: string;
  readonly #nameOf: (vehicleId: string) => string;
  readonly #lines: string[] = [];
  /** Vehicles with values of an unknown form, usually all of them. */
  readonly #unreadable: { readonly name: string; readonly facts: FactsOf<'unreadable'> }[] = [];

  constructor(operation: string, nameOf: (vehicleId: string) => string) {
    this.#operation = operation;
    this.#nameOf = nameOf;
  }

  /** Adds the error of a stream, with the time to resume from. */
  addOfStream({ vehicleId, error, rowsGiven, resumeFrom }: VehicleFailure): void {
    if (error.facts.kind === 'unreadable') {
      this.#unreadable.push({ name: this.#nameOf(vehicleId), facts: error.facts });
      return;
    }
    const after = rowsGiven > 0 ? ` after ${rowsGiven} ${rowsGiven === 1 ? 'row' : 'rows'}` : '';
    this.#lines.push(
      `${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)} It failed${after}; the rest: --from ${resumeFrom}`,
    );
  }

  add(vehicleId: string, error: unknown): void {
    this.#lines.push(`${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)}`);
  }

  /** Reports the failures. Call it after all other output. */
  report(report: { partial(result: PartialResult, at: 'first'): void }): void {
    const messages = [...this.#lines, ...this.#unreadableLines()];
    if (messages.length === 0) return;
    // First, because the lines include the errors of partial answers.
    report.partial({ operation: this.#operation, messages }, 'first');
  }

  /** Yields one line per kind of value for all vehicles: reading them again would not help. */
  *#unreadableLines(): Generator<string, void> {
    const kinds = new Set(this.#unreadable.map(({ facts }) => facts.member));
    for (const member of kinds) {
      const all = this.#unreadable.filter(({ facts }) => facts.member === member);
      const [first] = all;
      if (!first) continue;
      const snapshots = all.reduce((sum, { facts }) => sum + facts.snapshots, 0);
      const others = all.length === 2 ? 'another vehicle' : `${all.length - 1} other vehicles`;
      const whose = all.length === 1 ? first.name : `${first.name} and ${others}`;
      yield `${whose}: ${unreadableText({ ...first.facts, snapshots })}`;
    }
  }
}

/** Returns the messages of the service, else the error message. */
export function vehicleFailureReason(error: unknown): string {
  const { message, details } = commandFailureOf(error, false);
  return details.length > 0 ? asSentence(details.join(' ')) : message;
}
