const noRows = { written: 0, deleted: 0 };
function sumOf(one, other) {
  return { written: one.written + other.written, deleted: one.deleted + other.deleted };
}
export {
  noRows,
  sumOf
};
