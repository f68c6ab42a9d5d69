// Runs a command that changes something: builds a plan from flags and input, and executes it.
import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { connect } from '../connection/connect.js';
import type { Context, ReportingRun } from '../context/context.js';
import { printRows } from '../context/print.js';
import { Report } from '../context/report.js';
import { CliError } from '../errors/cli-error.js';
import { loadObject } from '../input/load-input.js';
import type { InputLine } from '../input/read-input.js';
import { knownServiceNow } from '../parse/time.js';
import { recordShape } from '../shape/list-shape.js';
import { mapViewFor } from '../shape/map-view.js';
import { carryOut } from './carry-out.js';
import {
  type Change,
  type ChangeSpec,
  type Draft,
  type Present,
  type ResolvedChange,
  subjectIds,
} from './change-spec.js';
import { requireConfirmable } from './confirm.js';
import { customFieldsIn, findMisspelledField } from './custom-field.js';
import { draftChange } from './draft-changes.js';
import type { ChangeFlags } from './flags.js';
import type { Foresight, Plan } from './plan.js';
import { childrenFirst } from './plan-file.js';
import { planView } from './print-plan.js';
import { resolveChanges } from './resolve-names.js';
import { showResult } from './show-result.js';
import { stepsOf } from './steps-of-change.js';

export async function change<Row>(context: Context, flags: ChangeFlags, spec: Change<Row>): Promise<void> {
  const isChosen = spec.chosen !== undefined;
  // The outcome of several records is the outcome of their plan.
  const shape =
    'view' in spec.display && !isChosen ? recordShape(context, spec.display.view, operations[spec.operation]) : null;
  let opened: Promise<FleetClient> | undefined;
  const open = () => (opened ??= connect(context));
  if (spec.subject.action === 'delete') requireConfirmable(context, flags);
  if (isChosen) {
    // The change is the same for all records, so its errors are found before they are read.
    draftChange(context, spec, 'any of them');
  }
  const sources = spec.chosen ? await spec.chosen(await open()) : [await readInputObject(context, flags)];
  if (sources.length === 0) {
    return printRows(context, [], planView, `There is no such ${spec.subject.kind.noun}.`);
  }
  // The output is no record then, so no map format can print it.
  if (shape === null) mapViewFor(context, { map: undefined });
  const drafts = sources.map((source) => draftChange(context, spec, source));
  const { resolveTimes } = spec;
  // The clock of this machine may be wrong.
  const now = resolveTimes ? await knownServiceNow(context, await open()) : 0;
  const fill = (draft: Draft) => (resolveTimes ? { ...draft, input: resolveTimes(draft.input, now) } : draft);
  const named = await resolveChanges(context, open, spec, drafts.map(fill));
  const changes = isChosen ? sortDeletions(spec, uniqueChanges(spec, named.changes), named.present) : named.changes;
  refuseProblems(changes);
  refuseMisspelledFields(context, spec, changes, named.present);
  warnOfUnread(context, spec, changes, named.present);
  const foresight = spec.foresee ? await predictEffects(context, await open(), changes, spec.foresee, flags) : null;
  const steps = stepsOf(spec, changes, { present: named.present, foresight, select: shape?.options.select });
  const [only] = changes;
  if (isChosen || only === undefined) return carryOut(context, open, { steps }, flags);
  const { sentences, check } = foresight ?? {};
  const show: Plan['showResult'] = (client, step, result) =>
    showResult(context, client, spec, only, shape, step, result);
  await carryOut(context, open, { steps, remarks: sentences, check, showResult: show }, flags);
}

/** Sorts deletions: the service deletes no record that has children. */
function sortDeletions(
  spec: ChangeSpec,
  changes: readonly ResolvedChange[],
  { records }: Present,
): readonly ResolvedChange[] {
  const { kind, action } = spec.subject;
  if (action !== 'delete' || !('idVariable' in kind)) return changes;
  const byId = new Map(changes.map((change) => [subjectIds(spec, change)[0] ?? '', change]));
  const rows = [...byId.keys()].map((id) => ({ ...records.get(id)?.row, id }));
  return childrenFirst(kind, rows).flatMap(({ id }) => byId.get(id) ?? []);
}

/** @throws CliError NOT_FOUND for a custom field whose name is similar to an existing one */
function refuseMisspelledFields(
  { report }: ReportingRun,
  { subject: { kind }, operation, input }: ChangeSpec,
  changes: readonly ResolvedChange[],
  { records }: Present,
): void {
  if (!('idVariable' in kind) || operation !== kind.update.operation || input === null) return;
  const entries = changes.flatMap(({ variables }) =>
    customFieldsIn(Reflect.get(Object(variables[input.variable]), 'customFields')),
  );
  const rows = [...records.values()].map(({ row }) => row);
  for (const { name } of entries) {
    const misspelling = findMisspelledField(report, name, kind.noun, rows);
    if (misspelling) throw new CliError('NOT_FOUND', misspelling.problem, { undone: 'sent', hint: misspelling.hint });
  }
}

/** Warns of a nested object of an unread record: the service replaces it as a whole. */
function warnOfUnread(
  { report }: ReportingRun,
  spec: ChangeSpec,
  changes: readonly ResolvedChange[],
  { records }: Present,
): void {
  if (spec.subject.action !== 'update' || spec.input === null) return;
  for (const change of changes) {
    const [id] = subjectIds(spec, change);
    const entries = Object.entries(Object(change.variables[spec.input.variable]));
    // A shape is replaced on purpose.
    const nested = entries.find(([name, value]) => name !== 'geojson' && isObject(value))?.[0];
    if (id === undefined || records.has(id) || nested === undefined) continue;
    report.warn(`The current ${nested} could not be read: its members that this change does not set are lost.`);
  }
}

/** Predicts effects; null when the current state cannot be read, which does not stop the change. */
async function predictEffects<Row>(
  context: Context,
  client: FleetClient,
  changes: readonly ResolvedChange[],
  foresee: NonNullable<Change<Row>['foresee']>,
  { dryRun }: ChangeFlags,
): Promise<Foresight | null> {
  // Gaps in the current state are reported only when the prediction succeeds.
  const own = new Report();
  try {
    return await foresee({ ...context, report: own }, client, changes);
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    own.takePartial();
    if (dryRun)
      context.report.warn('The current state could not be read, so further effects of this change are unknown.');
    return null;
  } finally {
    context.report.add(own);
  }
}

async function readInputObject(run: ReportingRun, { input }: ChangeFlags): Promise<InputLine> {
  return input === undefined ? {} : loadObject(run, input, manyHint);
}

const manyHint = 'Files of many records are for `apply`, such as `fleet people apply people.csv`.';

/** Throws before anything is sent when one of the changes cannot be sent. */
function refuseProblems(changes: readonly ResolvedChange[]): void {
  const problems = changes.flatMap(({ problem }) => problem ?? []);
  const [first] = problems;
  if (!first) return;
  // An error of the change itself is the same for each of the named records.
  const isSame = problems.length > 1 && problems.every(({ message }) => message === first.message);
  if (changes.length === 1 || isSame) throw first;
  throw new CliError(first.code, `${problems.length} of ${changes.length} names are not clear.`, {
    undone: 'changed',
    details: problems.map(({ message }) => message),
    hint: first.hint,
  });
}

/** Removes duplicates: a record named twice, such as by name and by id, is changed once. */
function uniqueChanges(spec: ChangeSpec, changes: readonly ResolvedChange[]): readonly ResolvedChange[] {
  const seen = new Set<string>();
  return changes.filter(({ variables, problem }) => {
    const [id = null] = problem ? [] : subjectIds(spec, { variables });
    if (id !== null && seen.has(id)) return false;
    if (id !== null) seen.add(id);
    return true;
  });
}
