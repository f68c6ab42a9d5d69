// `fleet schedules`: shows the weekly hours in which vehicles are expected to work.
import { operations } from '../../generated/operation-table.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord } from '../context/print.js';
import { scheduleKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { recordShape } from '../shape/list-shape.js';
import { scheduleView } from '../views/schedule.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(['fleet schedules list', ''], ['fleet schedules get "Office hours"', 'its days and hours']),
  );
  defineList(noun, open, {
    description: 'list the work schedules (getWorkSchedules)',
    help: examples(['fleet schedules list -o json', 'with all periods']),
    operation: 'getWorkSchedules',
    view: scheduleView,
    emptyText: 'No work schedule is visible to this user.',
  });
  noun
    .command('get')
    .description('show one work schedule (getWorkScheduleById)')
    .argument('<schedule>', 'id or name, or a unique part of a name')
    .addHelpText('after', examples(['fleet schedules get "Office hours"', '']))
    .action((schedule: string) => get(open(), schedule));
};

async function get(context: Context, schedule: string): Promise<void> {
  const shape = recordShape(context, scheduleView, operations.getWorkScheduleById);
  const client = await connect(context);
  const found = await findRecord(context, client, scheduleKind, schedule, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
