// `fleet labels`: the labels that vehicles can carry.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { labelView } from '../views/label.js';

export const define: DefineCommand = (noun, open) => {
  const lines = examples(
    ['fleet labels list', ''],
    ['fleet vehicles update "Truck 07" --label Leased', 'give a vehicle a label'],
  );
  noun.addHelpText('after', lines);
  noun
    .command('list')
    .description('list the labels of the fleet (getLabels)')
    .addHelpText('after', lines)
    .action(() => list(open()));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, labelView, operations.getLabels);
  const client = await connect(context);
  const rows = await tolerate(context, (options) => call(client, 'getLabels', {}, { ...options, ...shape.options }));
  await printRows(context, shape.rows(rows), shape.view, 'The fleet has no labels.');
}
