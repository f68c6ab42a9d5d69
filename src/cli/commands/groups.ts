// `fleet groups`: the groups that vehicles and geofences belong to.
import { operations } from '../../generated/operation-table.js';
import { change } from '../change/change.js';
import { asksAbout } from '../change/confirm.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { idsOf, type Reference } from '../change/plan.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { groupKind } from '../find/kinds.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { groupView } from '../views/group.js';

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
      ['fleet groups delete "Winter roster"', 'asks first; --yes in a script'],
    ),
  );
  noun
    .command('list')
    .description('list the groups visible to the user (getGroups)')
    .addHelpText(
      'after',
      examples(['fleet groups list --sort name', ''], ['fleet groups list -o json', 'with the ids of their vehicles']),
    )
    .action(() => list(open()));

  const create = noun.command('create').description('make a group (createGroup)');
  addGroupFlags(create);
  addChangeFlags(create, { input: true, asks: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet groups create --name "Night shift" --parent Deliveries', ''],
        ['fleet groups create --input groups.ndjson', 'many: one JSON object per line'],
      ),
    )
    .action((flags: GroupFlags) =>
      change(open(), flags, {
        operation: 'createGroup',
        input: { variable: 'createGroupInput', type: 'CreateGroupInput' },
        references: [parentReference(flags.parent)],
        flags: fieldsOf(flags),
        shown: { view: groupView },
      }),
    );

  const update = noun
    .command('update')
    .description('change a group (updateGroup); what is not said stays as it is')
    .argument('[group]', 'id or name; left out when --input says it');
  addGroupFlags(update);
  addChangeFlags(update, { input: true, asks: false });
  update
    .addHelpText('after', examples(['fleet groups update "Winter roster" --name "Winter tires"', '']))
    .action((group: string | undefined, flags: GroupFlags) =>
      change(open(), flags, {
        operation: 'updateGroup',
        input: { variable: 'updateGroupInput', type: 'UpdateGroupInput' },
        references: [groupReference(group), parentReference(flags.parent)],
        flags: fieldsOf(flags),
        shown: { view: groupView },
      }),
    );

  const remove = noun
    .command('delete')
    .description('delete a group (deleteGroup)')
    .argument('[group]', 'id or name; left out when --input says it');
  addChangeFlags(remove, { input: false, asks: true });
  remove
    .addHelpText('after', examples(['fleet groups delete "Winter roster" --yes', '']))
    .action((group: string | undefined, flags: ChangeFlags) =>
      change(open(), flags, {
        operation: 'deleteGroup',
        input: null,
        references: [groupReference(group)],
        flags: {},
        asks: asksAbout(groupKind),
        shown: { deleted: 'group' },
      }),
    );
};

function addGroupFlags(command: Parameters<DefineCommand>[0]): void {
  command
    .option('--name <text>', 'what people call it')
    .option('--parent <group>', 'the group above it, by id or name')
    .option('--external-id <text>', 'its id in another system')
    .option('--description <text>', 'what it is for');
}

function fieldsOf({ name, externalId, description }: GroupFlags): Readonly<Record<string, unknown>> {
  return { name, externalId, description };
}

function groupReference(said: string | undefined): Reference {
  return { name: 'groupId', into: 'variables', resolve: idsOf(groupKind), said, needed: '<group>' };
}

function parentReference(said: string | undefined): Reference {
  return { name: 'parentId', into: 'input', resolve: idsOf(groupKind), said, needed: null };
}

async function list(context: Context): Promise<void> {
  const shape = listShape(context, groupView, operations.getGroups);
  const client = await connect(context);
  const groups = await tolerate(context, (options) => call(client, 'getGroups', {}, { ...options, ...shape.options }));
  await printRows(context, shape.rows(groups), shape.view, 'No group is visible to this user.');
}
