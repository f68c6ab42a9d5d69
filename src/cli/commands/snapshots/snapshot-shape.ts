// Decides which of the more than a hundred fields of a snapshot are requested.
import { operations } from '../../../generated/operation-table.js';
import type { Context } from '../../context/context.js';
import type { FormatTraits } from '../../output/formats.js';
import type { View } from '../../output/view.js';
import { type ListShape, listShape } from '../../shape/list-shape.js';
import type { SnapshotRow } from '../../views/snapshot.js';

/**
 * Like listShape, but requests only the fields of the view when only they are printed. That is a tenth of the bytes. People also see what
 * the command adds.
 */
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
