// Reads the rows of a list operation, as they arrive if the format prints row by row.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { PlainListQuery } from '../../contract/selection/types.js';
import type { OperationTypes } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import type { ReportingRun, Run } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { allowPartial, missingOf } from './allow-partial.js';
import { call } from './call.js';

export type ListRow<Name extends PlainListQuery> = OperationTypes[Name]['result'][number];

interface Selecting {
  readonly select?: SelectionTree | undefined;
}

/**
 * Returns rows with only the selected fields, although their type has more. Incomplete answers end
 * with exit code 6. Throws when nothing arrived, here or with the first row.
 */
export async function listRows<Name extends PlainListQuery>(
  run: ReportingRun,
  client: FleetClient,
  operation: Name,
  { select }: Selecting,
  isSelected: (row: ListRow<Name>) => boolean = () => true,
): Promise<readonly ListRow<Name>[] | AsyncIterable<ListRow<Name>>> {
  if (printsRowByRow(run)) return streamRows(run, client, operation, { select }, isSelected);
  const rows = await allowPartial(run, (options) => call(client, operation, {}, { ...options, select }));
  // Safe cast: the result is a list of these rows.
  return (rows as readonly ListRow<Name>[]).filter(isSelected);
}

function printsRowByRow(run: Run): boolean {
  const { forPeople, map } = formatOf(run);
  return !forPeople && map === null && run.globals.sort === undefined;
}

async function* streamRows<Name extends PlainListQuery>(
  run: ReportingRun,
  client: FleetClient,
  operation: Name,
  { select }: Selecting,
  isSelected: (row: ListRow<Name>) => boolean,
): AsyncIterable<ListRow<Name>> {
  const missing = missingOf(run);
  // A selection made at run time has no static type.
  const selection = select === undefined ? {} : { select: select as never };
  const options = { partial: true, signal: run.io.signal, onWarning: missing.onWarning, ...selection };
  const stream = client.stream(operation, {}, options);
  let count = 0;
  try {
    for await (const row of stream as AsyncIterable<ListRow<Name>>) {
      count++;
      if (isSelected(row)) yield row;
    }
  } catch (error) {
    if (count > 0) run.report.warn(`The list is not complete: ${count} rows had arrived before the error.`);
    throw error;
  }
  missing.report();
}
