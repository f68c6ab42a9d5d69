// The plan of a changing command: each step is one request, and people see it as a line of their input.
import { isObject } from '../../core/json.js';
import type { FleetClient } from '../../index.js';
import { type Context, note, type ReportingRun, type Run } from '../context/context.js';
import { formatOf, printRecord } from '../context/print.js';
import { findRecord } from '../find/record.js';
import type { View } from '../output/view.js';
import type { ListShape } from '../shape/list-shape.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import {
  type Change,
  type ChangeSpec,
  type Display,
  type Present,
  type ResolvedChange,
  subjectOf,
} from './change-spec.js';
import { withDependents } from './dependents.js';
import { describeChange, subjectIds } from './describe.js';
import type { Foresight } from './foresight.js';
import type { Plan, PlanStep, RowsOfResults, StepResult } from './plan.js';
import { rowsOfSteps } from './print-plan.js';
import type { InputLine, TableFormat } from './read-input.js';
import type { PlannedChange } from './record-change.js';

export interface LineStep extends PlanStep {
  readonly change: ResolvedChange;
}

export interface Planned<Row> {
  readonly changes: readonly ResolvedChange[];
  /** What the changes are about, before them. */
  readonly present: Present;
  /** Whether the input is a list, and the format of the table that it comes from. */
  readonly input: { readonly many: boolean; readonly table?: TableFormat | undefined };
  /** Of the record that the operation returns; null when it returns something else. */
  readonly shape: ListShape<Row> | null;
  readonly foresight: Foresight | null;
  /** The file for what is not done. */
  readonly failed: string | undefined;
}

export async function requestPlan<Row>(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: Change<Row>,
  planned: Planned<Row>,
): Promise<Plan<LineStep, LineResult>> {
  const { input, shape, foresight, failed } = planned;
  const steps = await withDependents(context, open, stepsOf(spec, planned));
  const { sentences = [] } = foresight ?? {};
  // Where effects are to be seen, the sentences say the same.
  const hasEffects = steps.some(({ effects = [] }) => effects.length > 0);
  const shown = {
    rows: rowsOfSteps(steps.filter(({ problem }) => !problem)),
    isOne: !input.many,
    hasRequests: true,
    remarks: hasEffects ? [] : sentences,
  };
  return {
    steps,
    shown,
    notices: formatOf(context).forPeople ? sentences : [],
    outcome: input.many
      ? byLine(failed, input.table)
      : {
          show: async (client, { change, record }, result) => {
            const isKept = record.action === 'keep';
            if (isKept && shape) note(context, `${record.name} is like this already; nothing was sent.`);
            const shown = isKept ? await presentRecord(context, client, spec, change, shape) : result;
            await show(context, client, change, shown, spec.display, shape);
          },
        },
    check: foresight?.check ?? null,
  };
}

/** The steps that send these changes, each with one request. */
export function stepsOf<Row>(
  spec: Change<Row>,
  { changes, present, input, shape, foresight }: Omit<Planned<Row>, 'failed'>,
): readonly LineStep[] {
  const { operation } = spec;
  let foreseen = 0;
  return changes.map((change): LineStep => {
    const { line, variables, problem } = change;
    const idempotent = spec.idempotent?.(variables) ?? false;
    const requests = [{ operation, variables, idempotent, select: shape?.options.select }];
    const effects = foresight && !problem ? foresight.effects[foreseen++] : undefined;
    const records = describeChange(spec, change, present);
    const told = effects ? foreseenAs(effects, records) : spec.foresee ? unforeseen(records) : about(records);
    const isChosen = spec.chosen !== undefined;
    return {
      change,
      line: input.many && !isChosen ? line : null,
      source: isChosen ? wholeLine(spec, change) : change.source,
      problem,
      ...told,
      requests: () => requests,
    };
  });
}

/** The line of an input that asks for the change of a chosen record. */
function wholeLine({ input }: ChangeSpec, { variables }: ResolvedChange): InputLine {
  if (input === null) return { ...variables };
  const { [input.variable]: members, ...others } = variables;
  return { ...others, ...(isObject(members) ? members : {}) };
}

/** The record that a change is about; several stand under a name for all of them. */
function about(records: readonly PlannedChange[]): Pick<PlanStep, 'record' | 'effects'> {
  const [first = nothing, ...others] = records;
  if (others.length === 0) return { record: first };
  const action = records.find((one) => one.action !== 'keep')?.action ?? 'keep';
  return {
    record: { ...first, action, name: records.map(({ name }) => name).join(', '), id: null, changes: [] },
    effects: records,
  };
}

/** A change that is foreseen is told by its effects. */
function foreseenAs(
  effects: readonly PlannedChange[],
  described: readonly PlannedChange[],
): Pick<PlanStep, 'record' | 'effects' | 'isAlwaysSent'> {
  if (effects.length > 0) return { ...about(effects), effects };
  return { record: { ...about(described).record, action: 'keep', changes: [] }, effects, isAlwaysSent: true };
}

/** Nobody knows which assignments end by a change whose effects could not be read. */
function unforeseen(records: readonly PlannedChange[]): Pick<PlanStep, 'record'> {
  return { record: { ...about(records).record, isEnding: true } };
}

const nothing: PlannedChange = { kind: '', action: 'update', name: '', id: null, changes: [] };

/** The result of one line of the input. */
export interface LineResult extends StepResult {
  readonly line: number;
}

/** Shows the results as lines of the input. */
function byLine(failed: string | undefined, table: TableFormat | undefined): RowsOfResults<LineStep, LineResult> {
  const reasons = new Map<number, string>();
  return {
    view: viewOf(reasons),
    rows: (result, { change: { line } }, reason) => {
      if (reason !== null) reasons.set(line, reason);
      return [{ line, ...result }];
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
      paint: (text, { status }, { colors }) =>
        status === 'done' ? colors.green(text) : status === 'unchanged' ? text : colors.red(text),
      rank: 0,
    },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
    { title: 'ERROR', text: ({ line }) => reasons.get(line) ?? '', min: 20, rank: 1 },
  ],
  fields: ['line', 'status', 'id', 'error.code', 'error.message'],
});

/** What the operation would return of a record that stays as it is; null for one that returns no record. */
async function presentRecord<Row>(
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

/** Whether it is printed. The change is made already, so a failure to read the new state is only a warning. */
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
