// The plan of a changing command: each step is one request, and people see it as a line of their input.
import { isObject } from '../../core/json.js';
import { type OperationName, operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { type Context, note, type ReportingRun, type Run } from '../context/context.js';
import { formatOf, printRecord } from '../context/print.js';
import { write, writeAll } from '../io/io.js';
import { traitsOf } from '../output/formats.js';
import { printedJson } from '../output/json.js';
import type { View } from '../output/view.js';
import type { ListShape } from '../shape/list-shape.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { type Change, type Display, type ResolvedChange, subjectId } from './change-spec.js';
import type { Foresight } from './foresight.js';
import type { Plan, PlanStep, RowsOfResults, StepResult } from './plan.js';
import type { TableFormat } from './read-input.js';

export interface LineStep extends PlanStep {
  readonly change: ResolvedChange;
}

export interface Planned<Row> {
  readonly changes: readonly ResolvedChange[];
  /** Whether the input is a list, and the format of the table that it comes from. */
  readonly input: { readonly many: boolean; readonly table?: TableFormat | undefined };
  /** Of the record that the operation returns; null when it returns something else. */
  readonly shape: ListShape<Row> | null;
  readonly foresight: Foresight | null;
  /** The file for what is not done. */
  readonly failed: string | undefined;
}

export function requestPlan<Row>(
  context: Context,
  spec: Change<Row>,
  { changes, input, shape, foresight, failed }: Planned<Row>,
): Plan<LineStep, LineResult> {
  const { confirmation, operation } = spec;
  const steps = changes.map((change): LineStep => {
    const { source, variables, problem } = change;
    const idempotent = spec.idempotent?.(variables) ?? false;
    const requests = [{ operation, variables, idempotent, select: shape?.options.select }];
    return { change, source, id: subjectId(spec, variables), problem, requests: () => requests };
  });
  const ids = steps.flatMap(({ id, problem }) => (problem ? [] : (id ?? [])));
  return {
    steps,
    question: confirmation && ids.length > 0 ? (client) => confirmation(context, client, ids) : null,
    notices: formatOf(context).forPeople ? (foresight?.sentences ?? []) : [],
    print: async () => {
      for (const sentence of foresight?.sentences ?? []) note(context, sentence);
      await printRequests(context, operation, changes, input.many, foresight);
    },
    outcome: input.many
      ? byLine(failed, input.table)
      : { show: (client, { change }, result) => show(context, client, change, result, spec.display, shape) },
    check: foresight?.check ?? null,
  };
}

/** Prints documents and variables as they would be sent, and what they do to other records: one JSON object, or one per line; with -o json an array. */
async function printRequests(
  run: Run,
  operation: OperationName,
  changes: readonly ResolvedChange[],
  many: boolean,
  foresight: Foresight | null,
): Promise<void> {
  const { document } = operations[operation];
  const printed = changes.map(({ variables }, index) => ({
    operation,
    document,
    variables,
    ...(foresight ? { effects: foresight.effects[index] } : {}),
  }));
  const { stdout } = run.io;
  const { output } = run.globals;
  const isTerminal = stdout.isTTY === true;
  if (many && output !== undefined && traitsOf(output).jsonIndent === 2)
    return write(stdout, `${printedJson(printed, 2, isTerminal)}\n`);
  await writeAll(
    stdout,
    printed.map((one) => `${printedJson(one, many ? 0 : 2, isTerminal)}\n`),
  );
}

/** The result of one line of the input. */
export interface LineResult extends StepResult {
  readonly line: number;
}

/** Shows the results as lines of the input. */
function byLine(failed: string | undefined, table: TableFormat | undefined): RowsOfResults<LineStep, LineResult> {
  const reasons = new Map<number, string>();
  return {
    view: viewOf(reasons),
    row: (result, { change: { line } }, reason) => {
      if (reason !== null) reasons.set(line, reason);
      return { line, ...result };
    },
    nameOf: ({ change: { line } }) => `Line ${line}`,
    nothingToDo: { text: 'Nothing to do: the input is an empty list.', forPrograms: false },
    again: failed === undefined ? null : `--input ${failed} repeats what was not done`,
    table,
  };
}

/** `reasons`: what went wrong, by line. */
const viewOf = (reasons: ReadonlyMap<number, string>): View<LineResult> => ({
  columns: [
    { title: 'LINE', text: ({ line }) => String(line), align: 'right', rank: 0 },
    {
      title: 'STATUS',
      text: ({ status }) => status,
      paint: (text, { status }, { colors }) => (status === 'done' ? colors.green(text) : colors.red(text)),
      rank: 0,
    },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
    { title: 'ERROR', text: ({ line }) => reasons.get(line) ?? '', min: 20, rank: 1 },
  ],
  fields: ['line', 'status', 'id', 'error.code', 'error.message'],
});

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
    await printNewState(context, () => display.print(context, client, done, result));
  } else {
    await printResult(context, result);
  }
}

function isPrinted(run: Run, { rows }: { readonly rows?: true }): boolean {
  const { forPeople, jsonIndent } = formatOf(run);
  return forPeople || (rows === true && jsonIndent === null);
}

/** The change is made already, so a failure to print the new state is only a warning. */
async function printNewState(run: ReportingRun, print: () => Promise<void>): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    run.report.warn('The change was made, but its new state could not be read.');
  }
}

/** Prints a result without a view, such as `true` or the lists of changed groups. */
async function printResult(context: Context, result: unknown): Promise<void> {
  const record = isObject(result) || formatOf(context).wholeValues ? result : { result };
  const fields = isObject(record) ? Object.keys(record) : [];
  await printRecord(context, record, viewOfFields({ columns: [], fields: [] }, fields));
}
