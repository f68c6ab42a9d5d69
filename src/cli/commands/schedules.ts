// `fleet schedules`: shows the weekly hours in which vehicles are expected to work.
import { type DefineCommand, examples } from '../context/define-command.js';
import { scheduleKind } from '../find/kinds.js';
import { scheduleView } from '../views/schedule.js';
import { defineList } from './shared/define-list.js';
import { getRecords, severalHelp } from './shared/get-records.js';

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
    .description('show work schedules (getWorkScheduleById; several: getWorkSchedules)')
    .argument('[schedule...]', 'ids or names, or unique parts of names; default: all')
    .addHelpText('after', `${examples(['fleet schedules get "Office hours"', ''])}${severalHelp}`)
    .action((names: readonly string[]) => getRecords(open(), { kind: scheduleKind, view: scheduleView }, names));
};
