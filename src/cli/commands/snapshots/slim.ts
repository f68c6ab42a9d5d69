// Which of a snapshot's more than a hundred fields are asked for.
import { operations } from '../../../generated/operation-table.js';
import type { Snapshot } from '../../../index.js';
import type { FormatName, View } from '../../output/format.js';
import type { Context } from '../../run/context.js';
import { listShape, type Shape } from '../../shape/list-shape.js';

/**
 * As listShape; but where only the fields of the view are printed, only they are asked for: a tenth of the bytes, which over a
 * month is the difference between seconds and minutes.
 */
export function snapshotShape(
  context: Context,
  view: View<Snapshot>,
  name: 'getSnapshots' | 'getLatestSnapshots',
  format: FormatName,
): Shape<Snapshot> {
  const operation = operations[name];
  const isWhole = format === 'json' || format === 'ndjson' || format === 'yaml';
  if (isWhole || context.globals.fields !== undefined) return listShape(context, view, operation);
  const globals = { ...context.globals, fields: view.fields.join(',') };
  return { ...listShape({ ...context, globals }, view, operation), view };
}
