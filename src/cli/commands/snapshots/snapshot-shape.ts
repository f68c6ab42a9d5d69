// Decides which of the more than a hundred fields of a snapshot are requested.
import { operations } from '../../../generated/operation-table.js';
import type { Snapshot } from '../../../index.js';
import type { Context } from '../../context/context.js';
import type { FormatTraits } from '../../output/formats.js';
import type { View } from '../../output/view.js';
import { listShape, type Shape } from '../../shape/list-shape.js';

/** Like listShape, but requests only the fields of the view when only they are printed. That is a tenth of the bytes. */
export function snapshotShape(
  context: Context,
  view: View<Snapshot>,
  name: 'getSnapshots' | 'getLatestSnapshots',
  { wholeValues }: FormatTraits,
): Shape<Snapshot> {
  const operation = operations[name];
  if (wholeValues || context.globals.fields !== undefined) return listShape(context, view, operation);
  const globals = { ...context.globals, fields: view.fields.join(',') };
  return { ...listShape({ ...context, globals }, view, operation), view };
}
