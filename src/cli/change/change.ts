// A changing command from its flags to what is shown afterwards: skeleton, dry run, confirmation, one change or many.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import type { View } from '../output/format.js';
import { jsonText } from '../output/json.js';
import { nowFor } from '../parse/time.js';
import { type Context, formatOf, note, printRecord, serviceNow } from '../run/context.js';
import { write, writeAll } from '../run/io.js';
import { recordShape, type Shape } from '../shape/list-shape.js';
import { placeFor } from '../shape/place.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { checkResult } from './check-result.js';
import { type Asks, confirm, requireConfirmable } from './confirm.js';
import { draftChanges } from './draft-changes.js';
import type { ChangeFlags } from './flags.js';
import { skeletonOf } from './input-members.js';
import { type ChangeSpec, type PlannedChange, subjectOf } from './plan.js';
import { type Input, readInput } from './read-input.js';
import { resolveChanges } from './resolve-names.js';
import { sendMany } from './send-many.js';
import { timedChanges, timedDrafts } from './timed.js';

/** What is shown when the change is done. */
export type Shown<Row> =
  /** The operation returns the record. */
  | { readonly view: View<Row> }
  /** The record is gone; the noun says what it was. Programs get the service's own answer, `true`. */
  | { readonly deleted: string }
  /**
   * It returns something else, which programs get as it is. People are shown what is now, by a look of its own; `fields` and
   * the like do not apply.
   */
  | { readonly look: (context: Context, client: FleetClient, change: PlannedChange, result: unknown) => Promise<void> };

export interface Change<Row> extends ChangeSpec {
  readonly shown: Shown<Row>;
  /** Lines that come from somewhere else than --input. */
  readonly given?: Input | undefined;
  /** The change cannot be taken back: it is asked for before it is sent. */
  readonly asks?: Asks | undefined;
  /** Whether a change may be sent again when no answer arrived. */
  readonly idempotent?: ((variables: PlannedChange['variables']) => boolean) | undefined;
}

export async function change<Row>(context: Context, flags: ChangeFlags, spec: Change<Row>): Promise<void> {
  if (flags.skeleton) {
    await write(context.io.stdout, `${jsonText(skeletonOf(spec), 2, context.io.stdout.isTTY === true)}\n`);
    return;
  }
  const shape = 'view' in spec.shown ? recordShape(context, spec.shown.view, operations[spec.operation]) : null;
  const input = await inputOf(context, flags, spec.given);
  // What is printed then is no record, and has no place on a map.
  if (shape === null || input.many) placeFor(context, { place: undefined });
  const drafts = draftChanges(context, spec, input);
  if (spec.asks && !flags.dryRun) requireConfirmable(context, flags.yes);
  let opened: Promise<FleetClient> | undefined;
  const open = () => (opened ??= connect(context));
  // A dry run sends nothing, and goes by what is known.
  if (spec.timed && !flags.dryRun) await nowFor(context, await open(), spec.timed.times);
  const named = await resolveChanges(context, open, spec, timedDrafts(spec, drafts, serviceNow(context), input.many));
  const changes = timedChanges(spec, named, serviceNow(context), input.many);
  if (!input.many || flags.dryRun) refuseProblems(changes);
  if (flags.dryRun) return printPlan(context, spec, changes, input.many);
  const client = await open();
  const idOf = ({ variables }: PlannedChange) => subjectId(spec, variables);
  if (spec.asks && !flags.yes) {
    const ids = changes.flatMap((one) => (one.problem ? [] : (idOf(one) ?? [])));
    if (ids.length > 0) await confirm(context, client, spec.asks, ids);
  }
  const send = async ({ variables }: PlannedChange) => {
    const idempotent = spec.idempotent?.(variables) ?? false;
    const result = await tolerate(context, (options) =>
      // The variables were checked against the operation's input; names and types are the contract's.
      call(client, spec.operation, variables as never, { ...options, ...shape?.options, idempotent }),
    );
    checkResult(spec.operation, result);
    return result;
  };
  if (input.many) return sendMany(context, changes, flags, { send, idOf });
  const [only] = changes;
  if (only) await show(context, client, only, await send(only), spec.shown, shape);
}

/** Without --input there is one change, said by arguments and flags alone. */
async function inputOf(context: Context, flags: ChangeFlags, given: Input | undefined): Promise<Input> {
  if (given) return given;
  const forMany = flags.failed !== undefined ? '--failed' : flags.failFast ? '--fail-fast' : null;
  if (flags.input !== undefined) return readInput(context, flags.input, forMany !== null);
  if (forMany === null) return { lines: [{}], many: false };
  throw new CliError('USAGE', `${forMany} is for many changes, and there is no --input. Nothing was sent.`, {
    hint: 'Give them with --input, one per line.',
  });
}

/** Where nothing would be sent for a change, the command says so at once. */
function refuseProblems(changes: readonly PlannedChange[]): void {
  const broken = changes.flatMap(({ line, problem }) => (problem ? [{ line, problem }] : []));
  const [first] = broken;
  if (!first) return;
  if (changes.length === 1) throw first.problem;
  throw new CliError(first.problem.code, `${broken.length} of ${changes.length} lines cannot be sent.`, {
    details: broken.map(({ line, problem }) => `line ${line}: ${problem.message}`),
    hint: first.problem.hint,
  });
}

/** The id of the record that a change is about; null when it makes a new one. */
function subjectId(spec: ChangeSpec, variables: PlannedChange['variables']): string | null {
  const subject = subjectOf(spec);
  if (!subject) return null;
  const holder = subject.into === 'input' && spec.input ? variables[spec.input.variable] : variables;
  const id: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, subject.name) : null;
  return typeof id === 'string' ? id : null;
}

async function show<Row>(
  context: Context,
  client: FleetClient,
  done: PlannedChange,
  result: unknown,
  shown: Shown<Row>,
  shape: Shape<Row> | null,
): Promise<void> {
  if (shape && 'view' in shown) {
    // The record that the operation returns is the row of its view.
    await printRecord(context, shape.record(result as Row), shape.view);
  } else if ('deleted' in shown && formatOf(context) === 'table') {
    note(context, `The ${shown.deleted} is deleted.`);
  } else if ('look' in shown && formatOf(context) === 'table') {
    await look(context, () => shown.look(context, client, done, result));
  } else {
    await printResult(context, result);
  }
}

/** The change is made whatever comes of the look: a look that fails does not make the command fail. */
async function look(context: Context, shownNow: () => Promise<void>): Promise<void> {
  try {
    await shownNow();
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    context.warnings.push('The change was made; how things are now could not be read.');
  }
}

/** A result that is no record with a view of its own: `true`, or which groups were left and joined. */
async function printResult(context: Context, result: unknown): Promise<void> {
  const isPlain = typeof result !== 'object' || result === null || Array.isArray(result);
  const asIs = programFormats.has(formatOf(context));
  const record = isPlain && !asIs ? { result } : result;
  const fields = typeof record === 'object' && record !== null ? Object.keys(record) : [];
  await printRecord(context, record, viewOfFields({ columns: [], details: [], fields: [] }, fields));
}

/** They carry values of any form. */
const programFormats: ReadonlySet<string> = new Set(['json', 'ndjson', 'yaml']);

/** Documents and variables as they would be sent: one object, or one per line; an array where one is asked for. */
async function printPlan(
  context: Context,
  spec: ChangeSpec,
  changes: readonly PlannedChange[],
  many: boolean,
): Promise<void> {
  const { name, document } = operations[spec.operation];
  const plans = changes.map(({ variables }) => ({ operation: name, document, variables }));
  const { stdout } = context.io;
  if (many && context.globals.output === 'json') return write(stdout, `${jsonText(plans, 2, stdout.isTTY === true)}\n`);
  const texts = plans.map((plan) => `${jsonText(plan, many ? 0 : 2, stdout.isTTY === true)}\n`);
  await writeAll(stdout, texts);
}
