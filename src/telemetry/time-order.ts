// Puts rows in order of time. Services mostly send them so; some send the newest first, or in no order.

interface Timed<Row> {
  readonly row: Row;
  readonly time: number;
}

/**
 * The same rows in order of time. Rows of the same time keep their order; a row without a time stays with the row before it. Rows that are
 * in order already are returned as they are.
 */
export function inTimeOrder<Row>(rows: readonly Row[], timeOf: (row: Row) => number | null): readonly Row[] {
  let last = Number.NEGATIVE_INFINITY;
  let isOrdered = true;
  const timed = rows.map((row): Timed<Row> => {
    const time = timeOf(row) ?? last;
    if (time < last) isOrdered = false;
    last = time;
    return { row, time };
  });
  return isOrdered ? rows : timed.sort((a, b) => a.time - b.time).map(({ row }) => row);
}
