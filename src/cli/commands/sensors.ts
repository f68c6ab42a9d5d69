// `fleet sensors`: the named sensors of the fleet, with the keys of their values in snapshots.
import { type DefineCommand, examples } from '../context/define-command.js';
import { metaSensorView } from '../views/meta-sensor.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  const help = examples(
    ['fleet sensors list', ''],
    ['fleet vehicles sensors "Truck 07"', 'the sensors of one vehicle'],
  );
  noun.addHelpText('after', help);
  defineList(noun, open, {
    description: 'list the sensors of the fleet, with their keys in snapshots (getMetaSensors)',
    help,
    operation: 'getMetaSensors',
    view: metaSensorView,
    emptyText: 'The fleet has no sensors.',
  });
};
