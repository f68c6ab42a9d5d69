// Counts the rows that a sync has changed in each table. After a large load the database must
// analyze a table again, so that it plans well.

/** Fewer rows are read quickly with any plan. */
const LEAST_ROWS = 1000;
const LEAST_SHARE = 0.1;

export class ChangedRows {
  readonly #rows = new Map<string, number>();

  add(table: string, rows: number): void {
    this.#rows.set(table, (this.#rows.get(table) ?? 0) + rows);
  }

  /** Returns the tables of which a tenth has changed since the row counts of the last analysis. */
  large(analyzedRows: ReadonlyMap<string, number>): readonly string[] {
    return [...this.#rows].flatMap(([table, rows]) =>
      rows >= Math.max(LEAST_ROWS, LEAST_SHARE * (analyzedRows.get(table) ?? 0)) ? [table] : [],
    );
  }
}
