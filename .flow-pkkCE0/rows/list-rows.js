import { ProtocolError } from "../core/errors.js";
import { parseBatch } from "./row-batch.js";
function nextRows(rows, operation) {
  try {
    return rows.next();
  } catch {
    throw new ProtocolError(
      `The answer to ${operation} cannot be read: its rows are no JSON. Check that the base URL is the right one.`,
      { operation }
    );
  }
}
class BatchedRows {
  bytes;
  #batches;
  constructor(batches) {
    this.#batches = [...batches];
    this.bytes = batches.reduce((sum, pieces) => pieces.reduce((size, { length }) => size + length, sum), 0);
  }
  get hasRows() {
    return this.#batches.length > 0;
  }
  next() {
    const batch = this.#batches.shift();
    return batch ? parseBatch(batch) : null;
  }
}
export {
  BatchedRows,
  nextRows
};
