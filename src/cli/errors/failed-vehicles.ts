// The vehicles of a command for many that failed, while the others were printed: told in one line each, and the command ends with exit
// code 6.
import type { VehicleError } from '../../index.js';
import { commandFailureOf } from './exit-codes.js';
import type { PartialResult } from './partial-result.js';
import { sentence } from './sentence.js';

export class FailedVehicles {
  readonly #operation: string;
  readonly #nameOf: (vehicleId: string) => string;
  readonly #lines: string[] = [];

  constructor(operation: string, nameOf: (vehicleId: string) => string) {
    this.#operation = operation;
    this.#nameOf = nameOf;
  }

  /** The error of a stream, which can be read again from where it failed. */
  addOfStream({ vehicleId, error, rowsGiven, resumeFrom }: VehicleError): void {
    const after = rowsGiven > 0 ? ` after ${rowsGiven} ${rowsGiven === 1 ? 'row' : 'rows'}` : '';
    this.#lines.push(
      `${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)} It failed${after}; the rest: --from ${resumeFrom}`,
    );
  }

  add(vehicleId: string, error: unknown): void {
    this.#lines.push(`${this.#nameOf(vehicleId)}: ${vehicleFailureReason(error)}`);
  }

  /** Call it when everything else has been printed. */
  report(report: { partial(result: PartialResult, place: 'first'): void }): void {
    if (this.#lines.length === 0) return;
    // The errors of their answers are among the lines.
    report.partial({ operation: this.#operation, messages: this.#lines, isNotFound: false }, 'first');
  }
}

/** What the service says, else what went wrong: for a line of its own. */
export function vehicleFailureReason(error: unknown): string {
  const { message, details } = commandFailureOf(error, false);
  return details.length > 0 ? sentence(details.join(' ')) : message;
}
