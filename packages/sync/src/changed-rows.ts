// How many rows of each table a sync has changed: after a large load the database has to look at the table again, so that it plans well.

/** Fewer rows are read quickly in any way. */
const LEAST_ROWS = 1000;
const LEAST_SHARE = 0.1;

export class ChangedRows {
  readonly #rows = new Map<string, number>();

  add(table: string, rows: number): void {
    this.#rows.set(table, (this.#rows.get(table) ?? 0) + rows);
  }

  /** The tables of which at least a tenth has changed since the database looked at them. `known`: the rows that they had then. */
  large(known: ReadonlyMap<string, number>): readonly string[] {
    return [...this.#rows].flatMap(([table, rows]) =>
      rows >= Math.max(LEAST_ROWS, LEAST_SHARE * (known.get(table) ?? 0)) ? [table] : [],
    );
  }
}
