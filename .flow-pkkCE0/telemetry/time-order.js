function inTimeOrder(rows, timeOf, finerOf = () => "") {
  const timed = [];
  let last = null;
  let isOrdered = true;
  for (const row of rows) {
    const next = { row, time: timeOf(row) ?? last?.time ?? Number.NEGATIVE_INFINITY };
    if (last !== null && compare(last, next) > 0) isOrdered = false;
    timed.push(next);
    last = next;
  }
  return isOrdered ? rows : timed.sort(compare).map(({ row }) => row);
  function compare(one, other) {
    if (one.time !== other.time) return one.time - other.time;
    const [finer, otherFiner] = [finerOf(one.row), finerOf(other.row)];
    return finer === otherFiner ? 0 : finer < otherFiner ? -1 : 1;
  }
}
export {
  inTimeOrder
};
