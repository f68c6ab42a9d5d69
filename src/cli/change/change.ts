// A changing command from its flags to what is shown afterwards: skeleton, dry run, confirmation, one change or many.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { call } from '../call.js';
import { connect } from '../connect.js';
import { type Context, formatOf, note, printRecord } from '../context.js';
import { write } from '../io.js';
import type { View } from '../output/format.js';
import { jsonText } from '../output/json.js';
import { recordShape, type Shape } from '../shape/shape.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { tolerate } from '../shortfall.js';
import { confirm } from './confirm.js';
import type { ChangeFlags } from './flags.js';
import { skeletonOf } from './input-members.js';
import { sendMany } from './many.js';
import { type ChangeSpec, draftChanges, type PlannedChange, resolveChanges } from './plan.js';
import { type Input, readInput } from './read-input.js';

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
  /** Completes "Delete …?"; the change is asked for before it is sent. */
  readonly asks?: ((count: number) => string) | undefined;
}

export async function change<Row>(context: Context, flags: ChangeFlags, spec: Change<Row>): Promise<void> {
  if (flags.skeleton && spec.input) {
    await write(context.io.stdout, `${jsonText(skeletonOf(spec.input.type), 2, context.io.stdout.isTTY === true)}\n`);
    return;
  }
  const shape = 'view' in spec.shown ? recordShape(context, spec.shown.view, operations[spec.operation]) : null;
  const { lines, many } =
    spec.given ?? (flags.input === undefined ? { lines: [{}], many: false } : await readInput(context, flags.input));
  const drafts = draftChanges(context, spec, lines, many);
  if (spec.asks && !flags.dryRun) await confirm(context, spec.asks(drafts.length), flags.yes);
  let opened: Promise<FleetClient> | undefined;
  const open = () => (opened ??= connect(context));
  const changes = await resolveChanges(context, open, spec, drafts);
  if (flags.dryRun) return printPlan(context, spec, changes);
  const client = await open();
  const send = ({ variables }: PlannedChange) =>
    tolerate(context, (options) =>
      // The variables were checked against the operation's input; names and types are the contract's.
      call(client, spec.operation, variables as never, { ...options, ...shape?.options }),
    );
  if (many) return sendMany(context, changes, flags, send);
  const [only] = changes;
  if (only) await show(context, client, only, await send(only), spec.shown, shape);
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
    note(
      context,
      result === true ? `The ${shown.deleted} is deleted.` : `The service did not delete the ${shown.deleted}.`,
    );
  } else if ('look' in shown && formatOf(context) === 'table') {
    await shown.look(context, client, done, result);
  } else {
    await printResult(context, result);
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

/** Documents and variables as they would be sent: one object, or one per line. */
async function printPlan(context: Context, spec: ChangeSpec, changes: readonly PlannedChange[]): Promise<void> {
  const { name, document } = operations[spec.operation];
  const terminal = context.io.stdout.isTTY === true;
  const indent = changes.length === 1 ? 2 : 0;
  for (const { variables } of changes) {
    await write(context.io.stdout, `${jsonText({ operation: name, document, variables }, indent, terminal)}\n`);
  }
}
