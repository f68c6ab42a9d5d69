// `fleet groups`: manages groups of vehicles and geofences.
import { change } from '../change/change.js';
import type { Reference, Subject } from '../change/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { lookupOf } from '../change/lookup.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { groupKind } from '../find/kinds.js';
import { groupView } from '../views/group.js';
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
    view: groupView,
    emptyText: 'No group is visible to this user.',
    arranged: arrangedGroups,
  });

  defineGetGroups(noun, open);
  const create = noun.command('create').description('create a group (createGroup)');
  addGroupFlags(create);
  addChangeFlags(create, { takesInput: true, confirms: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet groups create --name "Night shift" --parent Deliveries', ''],
        ['fleet groups create --input groups.ndjson', 'several: one JSON object per line'],
      ),
    )
    .action((flags: GroupFlags) =>
      change(open(), flags, {
        operation: 'createGroup',
        subject: { ...subject, action: 'create' },
        printed: { type: 'Group', views: [groupView] },
        input: { variable: 'createGroupInput', type: 'CreateGroupInput' },
        references: [parentReference(flags.parent)],
        flags: fieldsOf(flags),
        display: { view: groupView },
      }),
    );

  const update = noun
    .command('update')
    .description('change a group (updateGroup); what is not given stays unchanged')
    .argument('[group]', 'id or name; leave out with --input');
  addGroupFlags(update);
  addChangeFlags(update, { takesInput: true, confirms: false });
  update
    .addHelpText('after', examples(['fleet groups update "Winter roster" --name "Winter tires"', '']))
    .action((group: string | undefined, flags: GroupFlags) =>
      change(open(), flags, {
        operation: 'updateGroup',
        subject,
        sets: true,
        printed: { type: 'Group', views: [groupView] },
        input: { variable: 'updateGroupInput', type: 'UpdateGroupInput' },
        references: [groupReference(group), parentReference(flags.parent)],
        flags: fieldsOf(flags),
        display: { view: groupView },
      }),
    );

  defineDeletion(noun, open, {
    kind: groupKind,
    operation: 'deleteGroup',
    description: 'delete groups (deleteGroup)',
    argument: ['[group...]', 'ids or names; leave out with --input or --filter'],
    help: examples(['fleet groups delete "Winter roster" --yes', '']),
    reference: groupReference,
    printed: { type: 'Group', views: [groupView] },
    view: groupView,
  });
  defineApplyGroups(noun, open);
};

/** What a change of groups does, for its plan. */
const subject: Subject = {
  kind: groupKind.noun,
  action: 'update',
  type: 'Group',
  nameOf: ({ name }) => String(name ?? ''),
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

function groupReference(typed: string | undefined): Reference {
  return { name: 'groupId', into: 'variables', lookup: lookupOf(groupKind), typed, requiredAs: '<group>' };
}

function parentReference(typed: string | undefined): Reference {
  return { name: 'parentId', into: 'input', lookup: lookupOf(groupKind), typed, requiredAs: null };
}
