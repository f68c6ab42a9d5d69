// `fleet roles`: the roles that people can have.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { roleView } from '../views/role.js';

export const define: DefineCommand = (noun, open) => {
  const lines = examples(
    ['fleet roles list', ''],
    ['fleet people set-roles "Anna Lind" Dispatcher', 'give a person a role'],
  );
  noun.addHelpText('after', lines);
  noun
    .command('list')
    .description('list the roles of the fleet (getRoles)')
    .addHelpText('after', lines)
    .action(() => list(open()));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, roleView, operations.getRoles);
  const client = await connect(context);
  const rows = await tolerate(context, (options) => call(client, 'getRoles', {}, { ...options, ...shape.options }));
  await printRows(context, shape.rows(rows), shape.view, 'The fleet has no roles.');
}
