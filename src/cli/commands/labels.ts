// `fleet labels`: the labels for vehicles.
import { type DefineCommand, examples } from '../context/define-command.js';
import { labelView } from '../views/label.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  const help = examples(
    ['fleet labels list', ''],
    ['fleet vehicles update "Truck 07" --label Leased', 'give a vehicle a label'],
  );
  noun.addHelpText('after', help);
  defineList(noun, open, {
    description: 'list the labels of the fleet (getLabels)',
    help,
    operation: 'getLabels',
    view: labelView,
    emptyText: 'The fleet has no labels.',
  });
};
