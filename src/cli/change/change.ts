// Runs a command that changes something: from its flags and input to a plan, which is then carried out.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { connect } from '../connection/connect.js';
import type { Context, ReportingRun } from '../context/context.js';
import { printRows } from '../context/print.js';
import { Report } from '../context/report.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { write } from '../io/io.js';
import { printedJson } from '../output/json.js';
import { knownServiceNow } from '../parse/time.js';
import { skeletonOf } from '../records/input-members.js';
import { recordShape } from '../shape/list-shape.js';
import { mapViewFor } from '../shape/map-view.js';
import { carryOut } from './carry-out.js';
import { type Change, type ChangeSpec, type Draft, type ResolvedChange, subjectId } from './change-spec.js';
import { requireConfirmable } from './confirm.js';
import { draftChanges, linePrefix, mapAll } from './draft-changes.js';
import type { ChangeFlags } from './flags.js';
import type { Foresight } from './foresight.js';
import { loadInput } from './load-input.js';
import { planView } from './print-plan.js';
import type { Input } from './read-input.js';
import { carryOutRecords } from './record-plan.js';
import { withoutRepeats } from './repeats.js';
import { requestPlan, stepsOf } from './request-plan.js';
import { resolveChanges } from './resolve-names.js';

export async function change<Row>(context: Context, flags: ChangeFlags, spec: Change<Row>): Promise<void> {
  if (flags.skeleton) {
    await write(context.io.stdout, `${printedJson(skeletonOf(spec), 2, context.io.stdout.isTTY === true)}\n`);
    return;
  }
  const isChosen = spec.chosen !== undefined;
  // The outcome of several records is that of their plan.
  const shape =
    'view' in spec.display && !isChosen ? recordShape(context, spec.display.view, operations[spec.operation]) : null;
  let opened: Promise<FleetClient> | undefined;
  const open = () => (opened ??= connect(context));
  if (spec.subject.action === 'delete') requireConfirmable(context, flags);
  if (isChosen) {
    // It is the same change for all of them, so what is wrong with it is said before they are read.
    draftChanges(context, spec, { lines: ['any of them'], many: false });
  }
  const input = spec.chosen ? await spec.chosen(await open()) : await inputOf(context, flags, spec);
  if (isChosen && input.lines.length === 0) {
    return printRows(context, [], planView, `There is no such ${spec.subject.kind.noun}.`);
  }
  // The output is not a record then, so no map format can print it.
  if (shape === null || input.many) mapViewFor(context, { map: undefined });
  const drafts = draftChanges(context, spec, input);
  const { timed } = spec;
  // The clock of this machine may be wrong.
  const now = timed ? await knownServiceNow(context, await open()) : 0;
  const fill = (draft: Draft) =>
    timed ? { ...draft, input: timed(draft.input, now, linePrefix(draft.line, input.many)) } : draft;
  const named = await resolveChanges(context, open, spec, mapAll(drafts, fill));
  const resolved = named.changes;
  const changes = isChosen ? eachOnce(spec, resolved) : input.many ? withoutRepeats(spec, resolved) : resolved;
  if (!input.many || flags.dryRun || isChosen) refuseProblems(changes, isChosen);
  const sendable = changes.filter(({ problem }) => problem === null);
  const foresight =
    spec.foresee && sendable.length > 0 ? await foretell(context, await open(), sendable, spec.foresee, flags) : null;
  const planned = { changes, present: named.present, input, shape, foresight, failed: flags.failed };
  if (isChosen) return carryOutRecords(context, await open(), { steps: stepsOf(spec, planned) }, flags);
  await carryOut(context, open, await requestPlan(context, open, spec, planned), flags);
}

/** When the present state cannot be read, the changes are sent all the same. */
async function foretell<Row>(
  context: Context,
  client: FleetClient,
  changes: readonly ResolvedChange[],
  foresee: NonNullable<Change<Row>['foresee']>,
  { dryRun }: ChangeFlags,
): Promise<Foresight | null> {
  // What is left out of the present state is only told when the rest of it is used.
  const own = new Report();
  try {
    return await foresee({ ...context, report: own }, client, changes);
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    own.takePartial();
    if (dryRun) context.report.warn('What else it would change could not be read.');
    return null;
  } finally {
    context.report.add(own);
  }
}

/** Without --input there is one change, given by arguments and flags. */
async function inputOf<Row>(run: ReportingRun, flags: ChangeFlags, spec: Change<Row>): Promise<Input> {
  if (spec.presetInput) return spec.presetInput;
  const forMany = flags.failed !== undefined ? '--failed' : flags.maxFailures !== undefined ? '--max-failures' : null;
  if (flags.input !== undefined) return loadInput(run, flags.input, flags, spec, forMany !== null);
  if (forMany === null) return { lines: [{}], many: false };
  throw refusal(`${forMany} needs --input with many changes.`, {
    hint: 'Give the changes with --input, one per line.',
  });
}

/** Fails before anything is sent when one of the changes cannot be sent. */
function refuseProblems(changes: readonly ResolvedChange[], areNamed = false): void {
  const unsendable = changes.flatMap(({ line, problem }) => (problem ? [{ line, problem }] : []));
  const [first] = unsendable;
  if (!first) return;
  // What is wrong with the change itself is wrong for each of the named records.
  const isSame = areNamed && unsendable.every(({ problem }) => problem.message === first.problem.message);
  if (changes.length === 1 || (isSame && unsendable.length > 1)) throw first.problem;
  const what = areNamed ? 'names are not clear' : 'lines cannot be sent';
  throw new CliError(first.problem.code, `${unsendable.length} of ${changes.length} ${what}.`, {
    undone: areNamed ? 'changed' : undefined,
    details: unsendable.map(({ line, problem }) => (areNamed ? problem.message : `line ${line}: ${problem.message}`)),
    hint: first.problem.hint,
  });
}

/** A record that is named twice, such as by its name and by its id, is changed once. */
function eachOnce(spec: ChangeSpec, changes: readonly ResolvedChange[]): readonly ResolvedChange[] {
  const seen = new Set<string>();
  return changes.filter(({ variables, problem }) => {
    const id = problem ? null : subjectId(spec, variables);
    if (id !== null && seen.has(id)) return false;
    if (id !== null) seen.add(id);
    return true;
  });
}
