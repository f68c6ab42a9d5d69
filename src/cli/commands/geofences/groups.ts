// `fleet geofences groups`: adds geofences to groups and removes them from groups.
import { isObject } from '../../../core/json.js';
import type { FleetClient } from '../../../index.js';
import { call } from '../../connection/call.js';
import { type Context, note } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRecord } from '../../context/print.js';
import type { View } from '../../output/view.js';
import { repeatable } from '../../parse/repeatable.js';
import { change } from '../../plan/change.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import { readNamedRecords } from '../../plan/named-records.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupChange } from '../shared/group-change.js';

interface GroupsFlags extends ChangeFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export const defineGeofenceGroups: DefineCommand = (noun, open) => {
  const groups = noun
    .command('groups')
    .description('add geofences to groups, or remove them from groups (changeGeofenceGroups)')
    .argument('[geofence...]', 'ids or names; leave out with --input or --filter')
    .option('--add <group>', 'add them to this group, by id or name; repeat for more', repeatable)
    .option('--remove <group>', 'remove them from this group, by id or name; repeat for more', repeatable);
  addChangeFlags(groups, { several: true });
  groups
    .addHelpText(
      'after',
      `${examples(
        ['fleet geofences groups "Depot Tartu" --add Deliveries --remove Service', ''],
        [
          'fleet geofences groups "Depot Tartu" "Depot Madrid" --add Service',
          'several: all of them or, if a name is not clear, none',
        ],
        ['fleet geofences groups --filter type=DEPOT --add Service', 'those that pass a filter'],
      )}\n\nThe service reports which groups have changed, but not all groups of a geofence.`,
    )
    .action((geofences: readonly string[], flags: GroupsFlags) => {
      const context = open();
      const { typed, chosen } = readNamedRecords(context, flags, geofences, geofenceKind, { filters: true });
      return change(context, flags, {
        ...groupChange(geofenceKind, typed, flags),
        chosen,
        display: { print: (context, client, _change, result) => printChangedGroups(context, client, result) },
      });
    });
};

interface ChangedGroups {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

const changedView: View<ChangedGroups> = {
  columns: [],
  details: [
    { title: 'Added to', text: ({ joined }) => joined.join(', ') },
    { title: 'Removed from', text: ({ left }) => left.join(', ') },
  ],
  fields: ['joined', 'left'],
};

async function printChangedGroups(context: Context, client: FleetClient, result: unknown): Promise<void> {
  const joined = idsIn(result, 'addedGroupIds');
  const left = idsIn(result, 'removedGroupIds');
  if (joined.length + left.length === 0)
    return note(
      context,
      'Nothing changed: the geofence was already in the groups to add, and not in the groups to remove.',
    );
  const select = { id: true, name: true } as const;
  const groups = await call(client, 'getGroups', {}, { select, signal: context.io.signal });
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name ?? id;
  await printRecord(context, { joined: joined.map(nameOf), left: left.map(nameOf) }, changedView);
}

function idsIn(result: unknown, name: string): readonly string[] {
  const ids = isObject(result) ? result[name] : null;
  return Array.isArray(ids) ? ids.map(String) : [];
}
