// `fleet schedules`: the weekly hours in which vehicles are expected to work.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { scheduleKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRecord, printRows } from '../run/context.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { scheduleView } from '../views/schedule.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(['fleet schedules list', ''], ['fleet schedules get "Office hours"', 'its days and hours']),
  );
  noun
    .command('list')
    .description('list the work schedules (getWorkSchedules)')
    .addHelpText('after', examples(['fleet schedules list -o json', 'with every period']))
    .action(() => list(open()));
  noun
    .command('get')
    .description('show one work schedule (getWorkScheduleById)')
    .argument('<schedule>', 'id or name, or a part of a name that fits a single one')
    .addHelpText('after', examples(['fleet schedules get "Office hours"', '']))
    .action((schedule: string) => get(open(), schedule));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, scheduleView, operations.getWorkSchedules);
  const client = await connect(context);
  const schedules = await tolerate(context, (options) =>
    call(client, 'getWorkSchedules', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(schedules), shape.view, 'No work schedule is visible to this user.');
}

async function get(context: Context, schedule: string): Promise<void> {
  const shape = recordShape(context, scheduleView, operations.getWorkScheduleById);
  const client = await connect(context);
  const found = await findRecord(context, client, scheduleKind, schedule, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
