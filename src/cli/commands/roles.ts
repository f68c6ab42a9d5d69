// `fleet roles`: the roles for people.
import { type DefineCommand, examples } from '../context/define-command.js';
import { roleView } from '../views/role.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  const help = examples(
    ['fleet roles list', ''],
    ['fleet people set-roles "Anna Lind" Dispatcher', 'give a person a role'],
  );
  noun.addHelpText('after', help);
  defineList(noun, open, {
    description: 'list the roles of the fleet (getRoles)',
    help,
    operation: 'getRoles',
    view: roleView,
    emptyText: 'The fleet has no roles.',
  });
};
