// Collects warnings and remarks of a run until its end, so that a JSON error is the only line on
// stderr.
import type { PartialResult } from '../errors/partial-result.js';

export class Report {
  readonly #warnings = new Set<string>();
  readonly #remarks = new Set<string>();
  #partial: PartialResult[] = [];
  #wasPaged = false;
  #hasDifferences = false;
  #rows = 0;

  /** Printed once, at the end of the command. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** Printed below the rows. */
  remark(text: string): void {
    this.#remarks.add(text);
  }

  /** Adds missing parts of a printed answer: exit code 6, with the message of the first one. */
  partial(result: PartialResult, at: 'first' | 'last' = 'last'): void {
    if (at === 'first') this.#partial.unshift(result);
    else this.#partial.push(result);
  }

  /** Called when output goes through a pager, which people may leave with Ctrl-C. */
  paged(): void {
    this.#wasPaged = true;
  }

  get wasPaged(): boolean {
    return this.#wasPaged;
  }

  /** Called when a dry run has found differences, which have their own exit code. */
  foundDifferences(): void {
    this.#hasDifferences = true;
  }

  get hasDifferences(): boolean {
    return this.#hasDifferences;
  }

  printedRow(): void {
    this.#rows++;
  }

  get rows(): number {
    return this.#rows;
  }

  add(part: Report): void {
    for (const warning of part.takeWarnings()) this.warn(warning);
    for (const remark of part.takeRemarks()) this.remark(remark);
    for (const result of part.takePartial()) this.partial(result);
  }

  takeWarnings(): readonly string[] {
    return drain(this.#warnings);
  }

  takeRemarks(): readonly string[] {
    return drain(this.#remarks);
  }

  takePartial(): readonly PartialResult[] {
    const all = this.#partial;
    this.#partial = [];
    return all;
  }
}

function drain(texts: Set<string>): readonly string[] {
  const all = [...texts];
  texts.clear();
  return all;
}
