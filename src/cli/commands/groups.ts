// `fleet groups`: manages groups of vehicles and geofences.

import { type DefineCommand, examples } from '../context/define-command.js';
import { change } from '../plan/change.js';
import { creationOf, type Reference, updateOf } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { groupKind } from '../records/group.js';
import { defineApplyGroups } from './groups/apply.js';
import { arrangedGroups } from './groups/arranged.js';
import { defineGetGroups } from './groups/get.js';
import { defineDeletion } from './shared/define-deletion.js';
import { defineList } from './shared/define-list.js';

interface GroupFlags extends ChangeFlags {
  readonly name?: string;
  readonly parent?: string;
  readonly externalId?: string;
  readonly description?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet groups list', ''],
      ['fleet groups create --name "Night shift"', ''],
      ['fleet vehicles groups "Truck 07" --add "Winter roster"', 'put a vehicle into a group; --remove takes it out'],
      ['fleet vehicles list --group "Winter roster"', 'the vehicles of a group'],
      ['fleet groups apply groups.csv', 'make the groups those of a file'],
      ['fleet groups delete "Winter roster"', 'asks for confirmation; add --yes in a script'],
    ),
  );
  defineList(noun, open, {
    description: 'list the groups visible to the user (getGroups)',
    help: `${examples(
      ['fleet groups list', 'as a tree'],
      ['fleet groups list --sort name', ''],
      ['fleet groups list -o json', 'with the ids of their vehicles'],
    )}

VEHICLES counts those of the groups below too, each once, as --group does; ITS OWN only those in the group itself. Machine formats have
parentId and vehicleIds as the service sends them.`,
    operation: 'getGroups',
    view: groupKind.view,
    emptyText: 'No group is visible to this user.',
    arranged: arrangedGroups,
  });

  defineGetGroups(noun, open);
  const create = noun.command('create').description('create a group (createGroup)');
  addGroupFlags(create);
  addChangeFlags(create);
  create
    .addHelpText(
      'after',
      examples(
        ['fleet groups create --name "Night shift" --parent Deliveries', ''],
        ['fleet groups apply groups.csv', 'several, from a spreadsheet'],
      ),
    )
    .action((flags: GroupFlags) =>
      change(open(), flags, {
        ...creationOf(groupKind, [parentReference(flags.parent)]),
        flags: fieldsOf(flags),
        display: { view: groupKind.view },
      }),
    );

  const update = noun
    .command('update')
    .description('change a group (updateGroup); what is not given stays unchanged')
    .argument('[group]', 'id or name; leave out with --input');
  addGroupFlags(update);
  addChangeFlags(update);
  update
    .addHelpText('after', examples(['fleet groups update "Winter roster" --name "Winter tires"', '']))
    .action((group: string | undefined, flags: GroupFlags) =>
      change(open(), flags, {
        ...updateOf(groupKind, group, [parentReference(flags.parent)]),
        flags: fieldsOf(flags),
        display: { view: groupKind.view },
      }),
    );

  defineDeletion(noun, open, {
    kind: groupKind,
    names: 'ids or names',
    filters: true,
    help: examples(['fleet groups delete "Winter roster" --yes', '']),
  });
  defineApplyGroups(noun, open);
};

function addGroupFlags(command: Parameters<DefineCommand>[0]): void {
  command
    .option('--name <text>', 'its name')
    .option('--parent <group>', 'its parent group, by id or name')
    .option('--external-id <text>', 'its id in another system')
    .option('--description <text>', 'its description');
}

function fieldsOf({ name, externalId, description }: GroupFlags): Readonly<Record<string, unknown>> {
  return { name, externalId, description };
}

function parentReference(typed: string | undefined): Reference {
  return { name: 'parentId', into: 'input', kind: groupKind, typed, requiredAs: null };
}
