// Defines a command that lists all records of one kind and takes no arguments or flags of its own.
import type { Command } from 'commander';
import { type OperationTypes, operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { printRows } from '../../context/print.js';
import type { ListOperation } from '../../find/record.js';
import type { View } from '../../output/view.js';
import { listShape } from '../../shape/list-shape.js';

type RowOf<Name extends ListOperation> = OperationTypes[Name]['result'] extends readonly (infer Row)[] ? Row : never;

export interface ListCommand<Name extends ListOperation> {
  /** The verb; default: `list`. */
  readonly verb?: string;
  readonly description: string;
  /** The end of the help text: the examples. */
  readonly help: string;
  readonly operation: Name;
  readonly view: View<RowOf<Name>>;
  /** Printed for people when there are no records. */
  readonly emptyText: string;
}

export function defineList<Name extends ListOperation>(
  noun: Command,
  open: () => Context,
  { verb = 'list', description, help, operation, view, emptyText }: ListCommand<Name>,
): void {
  noun
    .command(verb)
    .description(description)
    .addHelpText('after', help)
    .action(async () => {
      const context = open();
      const shape = listShape(context, view, operations[operation]);
      const client = await connect(context);
      const rows = await allowPartial(context, (options) =>
        // A list operation has no variables.
        call(client, operation, {} as OperationTypes[Name]['variables'], { ...options, ...shape.options }),
      );
      // The rows of a list operation are the members of its result.
      await printRows(context, shape.rows(rows as readonly unknown[] as readonly RowOf<Name>[]), shape.view, emptyText);
    });
}
