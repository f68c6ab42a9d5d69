// Prints the result of a change of one record.
import { isObject } from '../../core/json.js';
import type { FleetClient } from '../../index.js';
import { type Context, note, type ReportingRun, type Run } from '../context/context.js';
import { formatOf, printRecord } from '../context/print.js';
import { findRecord } from '../find/record.js';
import type { ListShape } from '../shape/list-shape.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { type Change, type Display, type ResolvedChange, subjectIds, subjectOf } from './change-spec.js';
import type { PlanStep } from './plan.js';

/** Prints the record after a change. `shape` and `result` are null if there is none. */
export async function showResult<Row>(
  context: Context,
  client: FleetClient,
  spec: Change<Row>,
  change: ResolvedChange,
  shape: ListShape<Row> | null,
  { record, isAlwaysSent, requests }: PlanStep,
  result: unknown,
): Promise<void> {
  const isKept = record.action === 'keep' && !isAlwaysSent;
  if (isKept && shape) note(context, `${record.name} already has these values; nothing was sent.`);
  // The last answer may belong to another operation, such as a custom field.
  const isOther = shape !== null && requests.at(-1)?.operation !== spec.operation;
  const shown = isKept || isOther ? await readResultRecord(context, client, spec, change, shape) : result;
  await show(context, client, change, shown, spec.display, shape);
}

/** Reads the current record in the form of the operation's result; null when it returns none. */
async function readResultRecord<Row>(
  context: Context,
  client: FleetClient,
  spec: Change<Row>,
  change: ResolvedChange,
  shape: ListShape<Row> | null,
): Promise<unknown> {
  if (!('view' in spec.display)) return null;
  if (spec.display.present) return spec.display.present(change);
  const kind = subjectOf(spec)?.kind;
  const select = shape?.options.select;
  return kind && findRecord(context, client, kind, subjectIds(spec, change)[0] ?? '', { substring: false, select });
}

async function show<Row>(
  context: Context,
  client: FleetClient,
  done: ResolvedChange,
  result: unknown,
  display: Display<Row>,
  shape: ListShape<Row> | null,
): Promise<void> {
  if (shape && 'view' in display) {
    // The operation returns the record that the view shows.
    await printRecord(context, shape.record(result as Row), shape.view);
  } else if ('deleted' in display && formatOf(context).forPeople) {
    note(context, `The ${display.deleted} has been deleted.`);
  } else if ('print' in display && isPrinted(context, display)) {
    const isPrintedNow = await printNewState(context, () => display.print(context, client, done, result));
    if (!isPrintedNow && formatOf(context).jsonIndent !== null) await printResult(context, null);
  } else {
    await printResult(context, result);
  }
}

function isPrinted(run: Run, { rows }: { readonly rows?: true }): boolean {
  return formatOf(run).forPeople || rows === true;
}

/** Prints the new state, true on success. The change is made, so a failure is a warning. */
async function printNewState(run: ReportingRun, print: () => Promise<void>): Promise<boolean> {
  try {
    await print();
    return true;
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    run.report.warn('The change was made, but its new state could not be read.');
    return false;
  }
}

/** Prints a result without a view, such as `true` or the lists of changed groups. */
async function printResult(context: Context, result: unknown): Promise<void> {
  const record = isObject(result) || formatOf(context).wholeValues ? result : { result };
  const fields = isObject(record) ? Object.keys(record) : [];
  await printRecord(context, record, viewOfFields({ columns: [], fields: [] }, fields));
}
