// `fleet groups`: manages groups of vehicles and geofences.
import { operations } from '../../generated/operation-table.js';
import type { Group } from '../../index.js';
import { connect } from '../connection/connect.js';
import { listRows } from '../connection/list-rows.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { idsIn } from '../find/membership.js';
import { change } from '../plan/change.js';
import { type ChangeSpec, creationOf, type Reference, updateOf } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { groupKind } from '../records/group.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import type { GroupRow } from '../views/group.js';
import { defineApply } from './shared/apply-records.js';
import { defineDeletion } from './shared/define-deletion.js';
import { defineList } from './shared/define-list.js';
import { severalHelp } from './shared/get-records.js';
import { GroupTree } from './shared/group-tree.js';

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
      ['fleet groups apply groups.csv', 'make the groups match a file'],
      ['fleet groups delete "Winter roster"', 'asks for confirmation; add --yes in a script'],
    ),
  );
  defineGroupList(noun, open);
  defineGetGroups(noun, open);
  defineCreate(noun, open);
  defineUpdate(noun, open);
  defineDeletion(noun, open, {
    kind: groupKind,
    names: 'ids or names',
    filters: true,
    help: examples(['fleet groups delete "Winter roster" --yes', '']),
  });
  defineApplyGroups(noun, open);
};

const defineGroupList: DefineCommand = (noun, open) => {
  defineList(noun, open, {
    description: 'list the groups visible to the user (getGroups)',
    help: `${examples(
      ['fleet groups list', 'as a tree'],
      ['fleet groups list --sort name', ''],
      ['fleet groups list -o json', 'with the ids of their vehicles'],
    )}

- VEHICLES includes the vehicles of subgroups, each once, like --group. DIRECT counts direct members
  only.
- Machine formats have parentId and vehicleIds as the service sends them.`,
    operation: 'getGroups',
    view: groupKind.view,
    emptyText: 'No group is visible to this user.',
    arranged: arrangeGroups,
  });
};

const defineCreate: DefineCommand = (noun, open) => {
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
      }),
    );
};

const defineUpdate: DefineCommand = (noun, open) => {
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
        contradiction: belowItself,
      }),
    );
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

/** Returns a refusal when a group would become its own descendant: the service refuses that too. */
const belowItself: NonNullable<ChangeSpec['contradiction']> = ({ groupId, parentId }, { records }) => {
  if (typeof groupId !== 'string' || typeof parentId !== 'string') return null;
  const rows = [...records].map(([id, { name, row }]) => ({ ...(row as Pick<Group, 'parentId'>), id, name }));
  if (!new GroupTree(rows).withAbove([parentId]).has(groupId)) return null;
  const nameOf = (id: string) => records.get(id)?.name ?? id;
  const parent = parentId === groupId ? 'itself' : `"${nameOf(parentId)}", which is below it`;
  return refusal(`"${nameOf(groupId)}" cannot be below ${parent}.`, { hint: 'Give another --parent.' });
};

function parentReference(typed: string | undefined): Reference {
  return { name: 'parentId', into: 'input', kind: groupKind, typed, requiredAs: null };
}

const defineApplyGroups: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    { kind: groupKind },
    `${examples(
      ['fleet groups apply groups.csv', 'the plan, a question, then the changes'],
      ['fleet groups apply groups.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet groups apply groups.csv --prune --yes', 'in a script; deletes the groups that are not in it'],
    )}\n\n- A group is found by id, else by external id or whole name.
- A parent is an id or a name, also of a group that the file creates.
- --prune does not delete groups of others.`,
  );

const defineGetGroups: DefineCommand = (noun, open) => {
  noun
    .command('get')
    .description('show groups (getGroups)')
    .argument('[group...]', 'ids or names, or unique parts of names (on a terminal); default: all')
    .addHelpText(
      'after',
      `${examples(
        ['fleet groups get "Long haul"', ''],
        ['fleet groups get "Long haul" -o json', 'with the ids of its own vehicles'],
        ['fleet groups get "Long haul" Deliveries -o json', 'as an array, in this order'],
      )}${severalHelp}`,
    )
    .action((names: readonly string[]) => get(open(), names));
};

async function get(context: Context, names: readonly string[]): Promise<void> {
  const isOne = names.length === 1;
  const operation = operations.getGroups;
  const shape = isOne ? recordShape(context, groupKind.view, operation) : listShape(context, groupKind.view, operation);
  const client = await connect(context);
  // Names are matched among all groups, with all fields, independent of --fields.
  const all: Group[] = [];
  for await (const group of await listRows(context, client, 'getGroups', {})) all.push(group);
  const rows = formatOf(context).forPeople && context.globals.fields === undefined ? arrangeGroups(all, true) : all;
  const ids = names.length === 0 ? null : [...new Set(idsIn(context, groupKind, all, names))];
  const found =
    ids === null
      ? rows
      : ids.map((id) => {
          const group = rows.find((row) => row.id === id);
          if (group) return group;
          throw new CliError('NOT_FOUND', `There is no group with the id ${id}.`, {
            hint: '`fleet groups list` lists all of them.',
          });
        });
  const [only] = found;
  if (isOne && only) return printRecord(context, shape.record(only), shape.view);
  await printRows(context, shape.rows(found), shape.view, 'No group is visible to this user.');
}

/**
 * Returns the groups as a tree with levels, and with the vehicles of subgroups, which --group also
 * counts. `isOrdered`: the user sorts, so the order is unchanged.
 */
function arrangeGroups(groups: readonly Group[], isOrdered: boolean): readonly GroupRow[] {
  const tree = new GroupTree(groups);
  const byId = new Map(groups.flatMap((group) => (group.id ? [[group.id, group] as const] : [])));
  const vehicles = new Map([...byId.keys()].map((id) => [id, new Set<string>()]));
  for (const { id, vehicleIds } of groups) {
    const own = (vehicleIds ?? []).filter((vehicle) => vehicle !== null);
    for (const above of id ? tree.withAbove([id]) : []) for (const vehicle of own) vehicles.get(above)?.add(vehicle);
  }
  const places = tree.inOrder(new Set(byId.keys()));
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const row = (group: Group): GroupRow => {
    const place = placeOf.get(group.id ?? '');
    const parent = place?.parentId ?? null;
    return {
      ...group,
      parent: parent === null ? null : (byId.get(parent)?.name ?? parent),
      ...(group.vehicleIds ? { allVehicles: vehicles.get(group.id ?? '')?.size } : {}),
      ...(isOrdered ? {} : { level: place?.level }),
    };
  };
  // A group without an id has no place in the tree.
  const inOrder = places.flatMap(({ id }) => byId.get(id) ?? []);
  const shown = isOrdered ? groups : [...inOrder, ...groups.filter(({ id }) => !id)];
  return shown.map(row);
}
