// Runs a command that changes something: skeleton, dry run, confirmation, sending one change or many, and printing the result.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { type Context, note, type ReportingRun, type Run, serviceNow } from '../context/context.js';
import { formatOf, printRecord } from '../context/print.js';
import { Report } from '../context/report.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { write, writeAll } from '../io/io.js';
import { traitsOf } from '../output/formats.js';
import { printedJson } from '../output/json.js';
import type { View } from '../output/view.js';
import { serviceNowFor } from '../parse/time.js';
import { type ListShape, recordShape } from '../shape/list-shape.js';
import { mapViewFor } from '../shape/map-view.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { checkResult } from './check-result.js';
import { type Confirmation, confirm, requireConfirmable } from './confirm.js';
import { draftChanges } from './draft-changes.js';
import type { ChangeFlags } from './flags.js';
import { compareOutcome, type Foresight } from './foresight.js';
import { skeletonOf } from './input-members.js';
import { loadInput } from './load-input.js';
import { type ChangeSpec, type PlannedChange, subjectId } from './plan.js';
import type { Input } from './read-input.js';
import { withoutRepeats } from './repeats.js';
import { resolveChanges } from './resolve-names.js';
import { resolveChangeTimes, resolveDraftTimes } from './resolve-times.js';
import { byLine, sendMany } from './send-many.js';

/** What is printed after the change. */
export type Display<Row> =
  /** The operation returns the record. */
  | { readonly view: View<Row> }
  /** The record is deleted; the text names its kind. Programs get the service's own answer, `true`. */
  | { readonly deleted: string }
  /**
   * The operation returns something else, which programs get as it is. For people, `print` requests and prints the new state; --fields
   * and the like do not apply.
   */
  | {
      /** `print` prints rows, so tsv and csv get them too; JSON gets the answer of the service. */
      readonly rows?: true;
      readonly print: (context: Context, client: FleetClient, change: PlannedChange, result: unknown) => Promise<void>;
    };

export interface Change<Row> extends ChangeSpec {
  readonly display: Display<Row>;
  /** Input that does not come from --input. */
  readonly presetInput?: Input | undefined;
  /** Records that the command line names: all of them are changed or none. */
  readonly chosen?: ((client: FleetClient) => Promise<Input>) | undefined;
  /** The change cannot be undone, so the user confirms it before it is sent. */
  readonly confirmation?: Confirmation | undefined;
  /** What the changes will do to other records too: printed before they are sent and with --dry-run, and checked afterwards. */
  readonly foresee?: (context: Context, client: FleetClient, changes: readonly PlannedChange[]) => Promise<Foresight>;
  /** Whether a change may be sent again when no answer arrived. */
  readonly idempotent?: ((variables: PlannedChange['variables']) => boolean) | undefined;
}

export async function change<Row>(context: Context, flags: ChangeFlags, spec: Change<Row>): Promise<void> {
  if (flags.skeleton) {
    await write(context.io.stdout, `${printedJson(skeletonOf(spec), 2, context.io.stdout.isTTY === true)}\n`);
    return;
  }
  const shape = 'view' in spec.display ? recordShape(context, spec.display.view, operations[spec.operation]) : null;
  let opened: Promise<FleetClient> | undefined;
  const open = () => (opened ??= connect(context));
  if (spec.chosen && spec.confirmation && !flags.dryRun) requireConfirmable(context, flags.yes);
  const input = spec.chosen ? await spec.chosen(await open()) : await inputOf(context, flags, spec);
  // The output is not a record then, so no map format can print it.
  if (shape === null || input.many) mapViewFor(context, { map: undefined });
  const drafts = draftChanges(context, spec, input);
  if (spec.confirmation && !flags.dryRun) requireConfirmable(context, flags.yes);
  // A dry run sends nothing and uses the time that is known.
  if (spec.timed && !flags.dryRun) await serviceNowFor(context, await open(), spec.timed.times);
  const named = await resolveChanges(
    context,
    open,
    spec,
    resolveDraftTimes(spec, drafts, serviceNow(context), input.many),
  );
  const resolved = resolveChangeTimes(spec, named, serviceNow(context), input.many);
  const changes = spec.chosen ? eachOnce(spec, resolved) : input.many ? withoutRepeats(spec, resolved) : resolved;
  if (!input.many || flags.dryRun || spec.chosen) refuseProblems(changes, spec.chosen !== undefined);
  const [single] = input.many ? [] : changes;
  const sendable = changes.filter(({ problem }) => problem === null);
  const foresight =
    spec.foresee && sendable.length > 0
      ? await foretell(context, await open(), sendable, spec.foresee, flags.dryRun === true)
      : null;
  if (flags.dryRun) return printPlan(context, spec, changes, input.many, foresight);
  const client = await open();
  const idOf = ({ variables }: PlannedChange) => subjectId(spec, variables);
  if (spec.confirmation && !flags.yes) {
    const ids = changes.flatMap((planned) => (planned.problem ? [] : (idOf(planned) ?? [])));
    if (ids.length > 0) await confirm(context, client, spec.confirmation, ids);
  }
  const send = async ({ variables }: PlannedChange) => {
    const idempotent = spec.idempotent?.(variables) ?? false;
    const result = await allowPartial(context, (options) =>
      // The variables were checked against the contract's input type before.
      call(client, spec.operation, variables as never, { ...options, ...shape?.options, idempotent }),
    );
    checkResult(spec.operation, result);
    return result;
  };
  if (input.many) await sendMany(context, changes, flags, { send, idOf, table: input.table }, byLine(flags.failed));
  else if (single) await show(context, client, single, await send(single), spec.display, shape);
  if (foresight) await compareOutcome(context, foresight.check);
}

/** When the present state cannot be read, the changes are sent all the same. */
async function foretell<Row>(
  context: Context,
  client: FleetClient,
  changes: readonly PlannedChange[],
  foresee: NonNullable<Change<Row>['foresee']>,
  isDryRun: boolean,
): Promise<Foresight | null> {
  // What is left out of the present state is only told when the rest of it is used.
  const own = new Report();
  try {
    const foresight = await foresee({ ...context, report: own }, client, changes);
    if (isDryRun || formatOf(context).forPeople) for (const sentence of foresight.sentences) note(context, sentence);
    return foresight;
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    own.takePartial();
    if (isDryRun) context.report.warn('What else it would change could not be read.');
    return null;
  } finally {
    context.report.add(own);
  }
}

/** Without --input there is one change, given by arguments and flags. */
async function inputOf<Row>(context: ReportingRun, flags: ChangeFlags, spec: Change<Row>): Promise<Input> {
  if (spec.presetInput) return spec.presetInput;
  const forMany = flags.failed !== undefined ? '--failed' : flags.failFast ? '--fail-fast' : null;
  if (flags.input !== undefined) return loadInput(context, flags.input, flags, spec, forMany !== null);
  if (forMany === null) return { lines: [{}], many: false };
  throw refusal(`${forMany} needs --input with many changes.`, {
    hint: 'Give the changes with --input, one per line.',
  });
}

/** Fails before anything is sent when one of the changes cannot be sent. */
function refuseProblems(changes: readonly PlannedChange[], areNamed = false): void {
  const unsendable = changes.flatMap(({ line, problem }) => (problem ? [{ line, problem }] : []));
  const [first] = unsendable;
  if (!first) return;
  if (changes.length === 1) throw first.problem;
  const what = areNamed ? 'names are not clear' : 'lines cannot be sent';
  throw new CliError(first.problem.code, `${unsendable.length} of ${changes.length} ${what}.`, {
    undone: areNamed ? 'changed' : undefined,
    details: unsendable.map(({ line, problem }) => (areNamed ? problem.message : `line ${line}: ${problem.message}`)),
    hint: first.problem.hint,
  });
}

/** A record that is named twice, such as by its name and by its id, is changed once. */
function eachOnce(spec: ChangeSpec, changes: readonly PlannedChange[]): readonly PlannedChange[] {
  const seen = new Set<string>();
  return changes.filter(({ variables, problem }) => {
    const id = problem ? null : subjectId(spec, variables);
    if (id !== null && seen.has(id)) return false;
    if (id !== null) seen.add(id);
    return true;
  });
}

async function show<Row>(
  context: Context,
  client: FleetClient,
  done: PlannedChange,
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

function isPrinted(context: Run, { rows }: { readonly rows?: true }): boolean {
  const { forPeople, jsonIndent } = formatOf(context);
  return forPeople || (rows === true && jsonIndent === null);
}

/** The change is made already, so a failure to print the new state is only a warning. */
async function printNewState(context: ReportingRun, print: () => Promise<void>): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    context.report.warn('The change was made, but its new state could not be read.');
  }
}

/** Prints a result without a view, such as `true` or the lists of changed groups. */
async function printResult(context: Context, result: unknown): Promise<void> {
  const isPlain = typeof result !== 'object' || result === null || Array.isArray(result);
  const record = isPlain && !formatOf(context).wholeValues ? { result } : result;
  const fields = typeof record === 'object' && record !== null ? Object.keys(record) : [];
  await printRecord(context, record, viewOfFields({ columns: [], fields: [] }, fields));
}

/** Prints documents and variables as they would be sent, and what they do to other records: one JSON object, or one per line; with -o json an array. */
async function printPlan(
  context: Run,
  spec: ChangeSpec,
  changes: readonly PlannedChange[],
  many: boolean,
  foresight: Foresight | null,
): Promise<void> {
  const { name, document } = operations[spec.operation];
  const plans = changes.map(({ variables }, index) => ({
    operation: name,
    document,
    variables,
    ...(foresight ? { effects: foresight.effects[index] } : {}),
  }));
  const { stdout } = context.io;
  const { output } = context.globals;
  if (many && output !== undefined && traitsOf(output).jsonIndent === 2)
    return write(stdout, `${printedJson(plans, 2, stdout.isTTY === true)}\n`);
  const texts = plans.map((plan) => `${printedJson(plan, many ? 0 : 2, stdout.isTTY === true)}\n`);
  await writeAll(stdout, texts);
}
