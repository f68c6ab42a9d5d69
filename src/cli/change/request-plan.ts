// The plan of one change: one request, after which people see the record.
import { isObject } from '../../core/json.js';
import type { FleetClient } from '../../index.js';
import { type Context, note, type ReportingRun, type Run } from '../context/context.js';
import { formatOf, printRecord } from '../context/print.js';
import { findRecord } from '../find/record.js';
import type { ListShape } from '../shape/list-shape.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { type Change, type Display, type Present, type ResolvedChange, subjectOf } from './change-spec.js';
import { withDependents } from './dependents.js';
import { describeChange, subjectIds } from './describe.js';
import type { Foresight } from './foresight.js';
import type { Plan, PlanStep } from './plan.js';
import { rowsOfSteps } from './print-plan.js';
import type { PlannedChange } from './record-change.js';

export interface ChangeStep extends PlanStep {
  readonly change: ResolvedChange;
}

export interface Planned<Row> {
  readonly changes: readonly ResolvedChange[];
  /** What the changes are about, before them. */
  readonly present: Present;
  /** Of the record that the operation returns; null when it returns something else. */
  readonly shape: ListShape<Row> | null;
  readonly foresight: Foresight | null;
}

export async function requestPlan<Row>(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: Change<Row>,
  planned: Planned<Row>,
): Promise<Plan<ChangeStep, never>> {
  const { shape, foresight } = planned;
  const steps = await withDependents(context, open, stepsOf(spec, planned));
  const { sentences = [] } = foresight ?? {};
  // Where effects are to be seen, the sentences say the same.
  const hasEffects = steps.some(({ effects = [] }) => effects.length > 0);
  const shown = {
    rows: rowsOfSteps(steps),
    isOne: true,
    hasRequests: true,
    remarks: hasEffects ? [] : sentences,
  };
  return {
    steps,
    shown,
    notices: formatOf(context).forPeople ? sentences : [],
    outcome: {
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
  { changes, present, shape, foresight }: Planned<Row>,
): readonly ChangeStep[] {
  const { operation } = spec;
  return changes.map((change, index): ChangeStep => {
    const { variables } = change;
    const idempotent = spec.idempotent?.(variables) ?? false;
    const requests = [{ operation, variables, idempotent, select: shape?.options.select }];
    const effects = foresight?.effects[index];
    const records = describeChange(spec, change, present);
    const told = effects ? foreseenAs(effects, records) : spec.foresee ? unforeseen(records) : about(records);
    return { change, line: null, source: null, ...told, requests: () => requests };
  });
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
