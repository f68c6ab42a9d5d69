// Sorts rows by time. Most services send them sorted; some send the newest first, or unsorted.

interface Timed<Row> {
  readonly row: Row;
  readonly time: number;
}

/**
 * Returns the rows in order of time. The sort is stable; a row without a time stays after its
 * predecessor. Sorted input is returned unchanged. `finerOf`: the digits below `timeOf`, comparable
 * as text.
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
