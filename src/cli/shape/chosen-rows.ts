// Which rows of a list a filter chooses, for commands that are about those records and do not print them.
import type { Operation } from '../../core/operation.js';
import type { Context } from '../context/context.js';
import { Report } from '../context/report.js';
import type { View } from '../output/view.js';
import { type ListShape, listShape } from './list-shape.js';

/** Requests `fields`, comma-separated, and what the filter reads. @throws CliError USAGE for a filter that does not fit */
export function chosenRows<Row>(
  context: Context,
  view: View<Row>,
  operation: Operation,
  { fields, filter }: { readonly fields: string; readonly filter: readonly string[] | undefined },
): Pick<ListShape<Row>, 'options' | 'rows'> {
  const { input, headers, pager } = context.globals;
  // In no map format, whatever the environment says.
  const globals = { input, headers, pager, output: 'json', fields, ...(filter ? { filter } : {}) } as const;
  // What is left out of this list needs no remark.
  return listShape({ ...context, globals, report: new Report() }, { ...view, map: undefined }, operation, false);
}
