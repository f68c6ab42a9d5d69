// `fleet sensors`: the sensors that the fleet has given names, and the keys under which snapshots carry their values.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { metaSensorView } from '../views/meta-sensor.js';

export const define: DefineCommand = (noun, open) => {
  const lines = examples(['fleet sensors list', ''], ['fleet vehicles sensors "Truck 07"', 'those of one vehicle']);
  noun.addHelpText('after', lines);
  noun
    .command('list')
    .description('list the sensors of the fleet, with their keys in snapshots (getMetaSensors)')
    .addHelpText('after', lines)
    .action(() => list(open()));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, metaSensorView, operations.getMetaSensors);
  const client = await connect(context);
  const rows = await tolerate(context, (options) =>
    call(client, 'getMetaSensors', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The fleet has no sensors.');
}
