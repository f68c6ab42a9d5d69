// Selects the requested fields of a snapshot, which has more than a hundred.
import { operations } from '../../../generated/operation-table.js';
import type { Context } from '../../context/context.js';
import type { FormatTraits } from '../../output/formats.js';
import type { View } from '../../output/view.js';
import { type ListShape, listShape } from '../../shape/list-shape.js';
import type { SnapshotRow } from '../../views/snapshot.js';

/** Returns a shape that requests only the printed fields: a tenth of the bytes. */
export function snapshotShape(
  context: Context,
  view: View<SnapshotRow>,
  name: 'getSnapshots' | 'getLatestSnapshots',
  { wholeValues, forPeople }: FormatTraits,
): ListShape<SnapshotRow> {
  const operation = operations[name];
  if (wholeValues || context.globals.fields !== undefined) return listShape(context, view, operation);
  const globals = {
    ...context.globals,
    fields: [...view.fields, ...(forPeople ? Object.keys(view.added ?? {}) : [])].join(','),
  };
  return { ...listShape({ ...context, globals }, view, operation), view };
}
