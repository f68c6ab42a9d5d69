// Defines a command that lists all records of one kind, without arguments.
import type { Command } from 'commander';
import type { PlainListQuery } from '../../../contract/selection/types.js';
import { operations } from '../../../generated/operation-table.js';
import { connect } from '../../connection/connect.js';
import { type ListRow, listRows } from '../../connection/list-rows.js';
import type { Context } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import type { View } from '../../output/view.js';
import { canBeDeleted, type DeletedFlag, deletedFlag, deletedHelp } from '../../shape/deleted.js';
import { listShape } from '../../shape/list-shape.js';

export interface ListCommand<Name extends PlainListQuery> {
  readonly verb?: string;
  readonly description: string;
  readonly help: string;
  readonly operation: Name;
  readonly view: View<ListRow<Name>>;
  readonly emptyText: string;
  /** Arranges the list for people. `isOrdered`: the user sorts or filters it. */
  readonly arranged?: (rows: readonly ListRow<Name>[], isOrdered: boolean) => readonly ListRow<Name>[];
}

export function defineList<Name extends PlainListQuery>(
  noun: Command,
  open: () => Context,
  { verb = 'list', description, help, operation, view, emptyText, arranged }: ListCommand<Name>,
): void {
  const command = noun.command(verb).description(description);
  const hasDeleted = canBeDeleted(operations[operation].returns.type);
  if (hasDeleted) command.option(deletedFlag, deletedHelp);
  command.addHelpText('after', help).action(async ({ deleted }: DeletedFlag) => {
    const context = open();
    const shape = listShape(context, view, operations[operation], hasDeleted ? deleted === true : undefined);
    const client = await connect(context);
    const rows = await listRows(context, client, operation, shape.options);
    const { fields, sort, filter } = context.globals;
    const isArranged = arranged !== undefined && fields === undefined && formatOf(context).forPeople;
    const shown =
      isArranged && !(Symbol.asyncIterator in rows) ? arranged(rows, sort !== undefined || filter !== undefined) : rows;
    await printRows(context, shape.rows(shown), shape.view, emptyText);
  });
}
