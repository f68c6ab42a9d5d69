import { ProtocolError } from "./errors.js";
function withIds(rows) {
  return rows.map((row, at) => {
    if (!hasId(row)) throw new ProtocolError(`Row ${at + 1} of ${rows.length} has no id.`);
    return row;
  });
}
function hasId(row) {
  return typeof row.id === "string";
}
export {
  withIds
};
