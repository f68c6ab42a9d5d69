import { ProtocolError } from './errors.js';

/**
 * Returns the same rows with `id` typed as `string`, for programs that store records by id. In the
 * contract every field can be null; a record without an id would be a fault of the service.
 *
 * @throws {ProtocolError} when a row has no id.
 */
export function withIds<Row extends { readonly id: string | null }>(
  rows: readonly Row[],
): (Row & { readonly id: string })[] {
  return rows.map((row, at) => {
    if (!hasId(row)) throw new ProtocolError(`Row ${at + 1} of ${rows.length} has no id.`);
    return row;
  });
}

function hasId<Row extends { readonly id: string | null }>(row: Row): row is Row & { readonly id: string } {
  return typeof row.id === 'string';
}
