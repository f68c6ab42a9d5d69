// Puts rows in order of time. Services mostly send them so; some send the newest first, or in no order.

interface Timed<Row> {
  readonly row: Row;
  readonly time: number;
}

/**
 * The same rows in order of time. Rows of the same time keep their order; a row without a time stays with the row before it. Rows that are
 * in order already are returned as they are. `finerOf`: what of the time is finer than `timeOf`, as texts in order.
 */
export function inTimeOrder<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => number | null,
  finerOf: (row: Row) => string = () => '',
): readonly Row[] {
  const timed: Timed<Row>[] = [];
  let last: Timed<Row> | null = null;
  let isOrdered = true;
  for (const row of rows) {
    const next: Timed<Row> = { row, time: timeOf(row) ?? last?.time ?? Number.NEGATIVE_INFINITY };
    if (last !== null && compare(last, next) > 0) isOrdered = false;
    timed.push(next);
    last = next;
  }
  return isOrdered ? rows : timed.sort(compare).map(({ row }) => row);

  function compare(one: Timed<Row>, other: Timed<Row>): number {
    if (one.time !== other.time) return one.time - other.time;
    const [finer, otherFiner] = [finerOf(one.row), finerOf(other.row)];
    return finer === otherFiner ? 0 : finer < otherFiner ? -1 : 1;
  }
}
