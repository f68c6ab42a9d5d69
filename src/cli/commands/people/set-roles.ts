// `fleet people set-roles`: what a person may do.

import type { FleetClient } from '../../../index.js';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf } from '../../change/plan.js';
import { CliError } from '../../errors/cli-error.js';
import { personKind, roleKind } from '../../find/kinds.js';
import { findRecord } from '../../find/record.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, printRecord } from '../../run/context.js';
import { personView } from '../../views/person.js';

interface RoleFlags extends ChangeFlags {
  readonly none?: true;
}

export const defineSetRoles: DefineCommand = (noun, open) => {
  const set = noun
    .command('set-roles')
    .description('set the roles of a person (setPersonCustomRoles); they take the place of all it had')
    .argument('[person]', 'id, or the whole name, e-mail or employee id; left out when --input says it')
    .argument('[role...]', 'ids or whole names')
    .option('--none', 'take all roles away');
  addChangeFlags(set, { input: true, asks: false });
  set
    .addHelpText(
      'after',
      examples(
        ['fleet people set-roles "Anna Lind" Dispatcher Accountant', ''],
        ['fleet people set-roles --input roles.ndjson', 'many: {"personId": …, "roleIds": […]} per line'],
        ['fleet roles list', 'all there are'],
      ),
    )
    .action((person: string | undefined, roles: readonly string[], flags: RoleFlags) => {
      if (flags.none && roles.length > 0) {
        throw new CliError('USAGE', '--none takes all roles away, and there are roles to set. Nothing was sent.', {
          hint: 'Leave out --none, or the roles.',
        });
      }
      return change(open(), flags, {
        operation: 'setPersonCustomRoles',
        input: null,
        references: [
          { name: 'personId', into: 'variables', resolve: idsOf(personKind), said: person, needed: '<person>' },
          {
            name: 'roleIds',
            into: 'variables',
            resolve: idsOf(roleKind),
            said: roles.length > 0 || flags.none ? roles : undefined,
            list: true,
            needed: '<role>',
          },
        ],
        flags: {},
        shown: { look: (context, client, { variables }) => showPerson(context, client, String(variables.personId)) },
      });
    });
};

async function showPerson(context: Context, client: FleetClient, id: string): Promise<void> {
  await printRecord(context, await findRecord(context, client, personKind, id, { substring: false }), personView);
}
