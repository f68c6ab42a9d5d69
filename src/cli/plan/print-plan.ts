// Prints a plan: the changes as a table for people, all records with their requests for programs.
import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import { type Context, note, printLine, type Run } from '../context/context.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { printedJson } from '../output/json.js';
import type { View } from '../output/view.js';
import { NewRecord, resolveIds } from '../records/new-record.js';
import { summarizeShape } from '../views/geofence.js';
import type { PlanRow, PlanStep, SentRequest, ShownPlan } from './plan.js';
import { changesText, type PlannedChange, recordText, signOf, summaryOf } from './record-change.js';

export const planView: View<PlanRow> = {
  columns: [
    { title: '', text: signOf, rank: 0 },
    { title: 'NAME', text: ({ name }) => name, min: 10, rank: 0 },
    { title: 'CHANGES', text: changesText, min: 20, rank: 1 },
    {
      title: 'STATUS',
      text: ({ status }) => (status === 'planned' ? '' : status),
      paint: (text, { status }, { colors }) => (status === 'done' ? colors.green(text) : colors.red(text)),
      rank: 0,
    },
    { title: 'ERROR', text: ({ error }) => error?.message ?? '', min: 20, rank: 1 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 2 },
  ],
  fields: ['action', 'name', 'id', 'line', 'changes', 'status', 'error.code', 'error.message', 'kind'],
};

export function plannedRow(record: PlannedChange, line: number | null): PlanRow {
  const { action, kind, name, id, changes, ...rest } = record;
  return { action, kind, name, id, line, changes, ...rest, status: 'planned', error: null };
}

/** Returns a row for each step, with its requests. New records are shown by name. */
export function rowsOfSteps(steps: readonly PlanStep[]): readonly PlanRow[] {
  const recreated = new Map(steps.flatMap(({ record }) => (record.formerId ? [[record.formerId, record.name]] : [])));
  const shownId = (id: string | NewRecord) => {
    const name = id instanceof NewRecord ? id.name : recreated.get(id);
    return name === undefined ? id : `id of "${name}"`;
  };
  return steps.map((step) => ({
    ...rowOfStep(step),
    requests: step.requests.map((one) => ({ ...one, variables: Object(resolveIds(one.variables, shownId)) })),
  }));
}

export function rowOfStep({ record, line, effects }: PlanStep): PlanRow {
  return {
    ...plannedRow(record, line),
    ...(effects ? { effects: effects.map((effect) => plannedRow(effect, line)) } : {}),
  };
}

function shownRows({ rows }: ShownPlan): readonly PlanRow[] {
  return rows.flatMap((row) => row.effects ?? row);
}

export function changedRecords(plan: ShownPlan): readonly PlanRow[] {
  return shownRows(plan).filter(isChange);
}

/** Returns a line for each record that changes, and a summary of all. */
export function planText(plan: ShownPlan): { readonly lines: readonly string[]; readonly summary: string } {
  return { lines: changedRecords(plan).map(recordText), summary: summaryOf(shownRows(plan)) };
}

/** Prints the plan for --dry-run, and sets the exit code for differences. */
export async function printPlan(context: Context, plan: ShownPlan): Promise<void> {
  const { forPeople, wholeValues } = formatOf(context);
  const rows = shownRows(plan);
  if (context.globals.verbose) for (const row of plan.rows) printRequests(context, row);
  if (wholeValues) {
    const whole = plan.rows.map((row) => forPrograms(row, plan.isOne || context.globals.verbose === true));
    const [only] = whole;
    if (plan.isOne && only) await printRecord(context, only, planView);
    else await printRows(context, whole, planView, '');
  } else {
    // People see only changes; programs get the whole plan.
    await printRows(context, forPeople ? rows.filter(isChange) : rows.map(withShapes), planView, 'Nothing to do.');
  }
  for (const remark of plan.remarks) note(context, remark);
  if (rows.length > 0) note(context, `${summaryOf(rows)}. Nothing was changed.`);
  if (rows.some(isChange)) context.report.foundDifferences();
}

/** Replaces shapes by short texts, because coordinates are unreadable in a table cell. */
function withShapes(row: PlanRow): PlanRow {
  const shape = (value: unknown) => (isObject(value) ? summarizeShape(value) || value : value);
  const changes = row.changes.map((change) => ({
    ...change,
    before: shape(change.before),
    after: shape(change.after),
  }));
  return { ...row, changes };
}

function isChange({ action }: PlanRow): boolean {
  return action !== 'keep';
}

/** Returns the row for programs, with its requests; for several records only with --verbose. */
function forPrograms({ requests = [], ...row }: PlanRow, hasRequests: boolean): PlanRow {
  const [only, ...others] = requests;
  if (!hasRequests || only === undefined) return row;
  return others.length === 0 ? { ...row, ...withDocument(only) } : { ...row, requests: requests.map(withDocument) };
}

function withDocument({ operation, variables }: SentRequest) {
  return { operation, document: operations[operation].document, variables };
}

function printRequests(run: Run, { requests = [] }: PlanRow): void {
  for (const request of requests) printLine(run, printedJson(withDocument(request), 0, run.io.stderr.isTTY === true));
}
