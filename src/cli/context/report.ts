// What a run has to say beside its result. It is collected, and told when the command ends or where its rows end: an error in JSON stays the
// only line on stderr.
import type { PartialResult } from '../errors/partial-result.js';

export class Report {
  readonly #warnings = new Set<string>();
  readonly #remarks = new Set<string>();
  #partial: PartialResult[] = [];
  #wasPaged = false;
  #hasDifferences = false;
  #rows = 0;

  /** Told once, when the command ends. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** Told below the rows that it is about. */
  remark(text: string): void {
    this.#remarks.add(text);
  }

  /**
   * What the service left out of an answer that is printed anyway: the command ends with exit code 6, and tells the first one. `at`: among
   * those so far.
   */
  partial(result: PartialResult, at: 'first' | 'last' = 'last'): void {
    if (at === 'first') this.#partial.unshift(result);
    else this.#partial.push(result);
  }

  /** People read the output in a pager, which they may leave with Ctrl-C. */
  paged(): void {
    this.#wasPaged = true;
  }

  get wasPaged(): boolean {
    return this.#wasPaged;
  }

  /** A dry run has found something to change: the command ends with an exit code of its own. */
  foundDifferences(): void {
    this.#hasDifferences = true;
  }

  get hasDifferences(): boolean {
    return this.#hasDifferences;
  }

  /** A row of the result has been printed. */
  printedRow(): void {
    this.#rows++;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes over what a part of the command has reported to a report of its own. */
  add(part: Report): void {
    for (const warning of part.takeWarnings()) this.warn(warning);
    for (const remark of part.takeRemarks()) this.remark(remark);
    for (const result of part.takePartial()) this.partial(result);
  }

  takeWarnings(): readonly string[] {
    return taken(this.#warnings);
  }

  takeRemarks(): readonly string[] {
    return taken(this.#remarks);
  }

  takePartial(): readonly PartialResult[] {
    const all = this.#partial;
    this.#partial = [];
    return all;
  }
}

function taken(texts: Set<string>): readonly string[] {
  const all = [...texts];
  texts.clear();
  return all;
}
