// The `get` commands for records by name or id: prints one as a record, several as a list.
import type { Command } from 'commander';
import { operations } from '../../../generated/operation-table.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { OpenContext } from '../../context/define-command.js';
import { printRecord, printRows } from '../../context/print.js';
import { findRecord, findRecords } from '../../find/record.js';
import type { ReadableKind } from '../../records/record-kind.js';
import { canBeDeleted } from '../../shape/deleted.js';
import { listShape, recordShape } from '../../shape/list-shape.js';

export const severalHelp = `

One or several names:
- One name prints a record. With -o json it is an object.
- Several names, or none for all, print a list. With -o json it is an array, in the order of the
  names.`;

/** Defines the command. `names`: the kinds of names, for the help. */
export function defineGetRecords<Row extends object>(
  noun: Command,
  open: OpenContext,
  kind: ReadableKind<Row>,
  description: string,
  help: string,
  names = 'ids or names, or unique parts of names (on a terminal)',
): void {
  noun
    .command('get')
    .description(description)
    .argument(`[${kind.placeholder}...]`, `${names}; default: all`)
    .addHelpText('after', `${help}${severalHelp}`)
    .action((typed: readonly string[]) => getRecords(open(), kind, typed));
}

async function getRecords<Row extends object>(
  context: Context,
  kind: ReadableKind<Row>,
  names: readonly string[],
): Promise<void> {
  const { view } = kind;
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) {
    const shape = recordShape(context, view, operations[kind.byId]);
    const client = await connect(context);
    const found = await findRecord(context, client, kind, only, { substring: true, ...shape.options });
    return printRecord(context, shape.record(found), shape.view);
  }
  const operation = operations[kind.list];
  // Named records are shown even when deleted.
  const deleted = canBeDeleted(operation.returns.type) && only === undefined ? false : undefined;
  const shape = listShape(context, view, operation, deleted);
  const client = await connect(context);
  const found = await findRecords(context, client, kind, names, shape.options);
  await printRows(context, shape.rows(found), shape.view, `No ${kind.noun} is visible to this user.`);
}
