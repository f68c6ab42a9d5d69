// Selects rows of a list with a filter, for commands that do not print them.
import type { Operation } from '../../core/operation.js';
import type { Context } from '../context/context.js';
import { Report } from '../context/report.js';
import type { View } from '../output/view.js';
import { type ListShape, listShape } from './list-shape.js';

/** Requests `fields` and those of the filter. Throws CliError USAGE for an invalid filter. */
export function chosenRows<Row>(
  context: Context,
  view: View<Row>,
  operation: Operation,
  { fields, filter }: { readonly fields: string; readonly filter: readonly string[] | undefined },
): Pick<ListShape<Row>, 'options' | 'rows'> {
  const { input, headers, pager } = context.globals;
  // No map format, whatever the environment sets.
  const globals = { input, headers, pager, output: 'json', fields, ...(filter ? { filter } : {}) } as const;
  // A separate report: remarks about omitted rows are not printed.
  return listShape({ ...context, globals, report: new Report() }, { ...view, map: undefined }, operation, false);
}
