// `fleet geofences groups`: lets a geofence join and leave groups.
import type { FleetClient } from '../../../index.js';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf } from '../../change/plan.js';
import { call } from '../../connection/call.js';
import { groupKind } from '../../find/kinds.js';
import type { View } from '../../output/format.js';
import { repeatable } from '../../parse/repeatable.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, note, printRecord } from '../../run/context.js';
import { geofenceReference } from './input.js';

interface GroupsFlags extends ChangeFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export const defineGroups: DefineCommand = (noun, open) => {
  const groups = noun
    .command('groups')
    .description('let a geofence join and leave groups (changeGeofenceGroups)')
    .argument('[geofence]', 'id or name; left out when --input says it')
    .option('--add <group>', 'a group to join, by id or name; again for the next one', repeatable)
    .option('--remove <group>', 'a group to leave, by id or name; again for the next one', repeatable);
  addChangeFlags(groups, { input: true, asks: false });
  groups
    .addHelpText(
      'after',
      `${examples(
        ['fleet geofences groups "Depot Tartu" --add Deliveries --remove Service', ''],
        ['fleet geofences groups --input changes.ndjson', 'many'],
        ['{"geofenceId": "Depot Tartu", "addGroupIds": ["Service"]}', 'a line of such a file'],
      )}\n\nThe service tells which groups changed, not which groups a geofence is in.`,
    )
    .action((geofence: string | undefined, flags: GroupsFlags) => {
      const list = { into: 'input', resolve: idsOf(groupKind), list: true, needed: null } as const;
      return change(open(), flags, {
        operation: 'changeGeofenceGroups',
        input: { variable: 'changeGeofenceGroupsInput', type: 'ChangeGeofenceGroupsInput' },
        references: [
          geofenceReference(geofence),
          { ...list, name: 'addGroupIds', said: flags.add },
          { ...list, name: 'removeGroupIds', said: flags.remove },
        ],
        flags: {},
        shown: { look: (context, client, _change, result) => look(context, client, result) },
      });
    });
};

interface Changed {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

const changedView: View<Changed> = {
  columns: [],
  details: [
    { title: 'Joined', text: ({ joined }) => joined.join(', ') },
    { title: 'Left', text: ({ left }) => left.join(', ') },
  ],
  fields: ['joined', 'left'],
};

/** The groups that changed, by name. */
async function look(context: Context, client: FleetClient, result: unknown): Promise<void> {
  const joined = idsIn(result, 'addedGroupIds');
  const left = idsIn(result, 'removedGroupIds');
  if (joined.length + left.length === 0)
    return note(context, 'Nothing changed: the geofence was in these groups already, or in none of them.');
  const select = { id: true, name: true } as const;
  const groups = await call(client, 'getGroups', {}, { select, signal: context.io.signal });
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name ?? id;
  await printRecord(context, { joined: joined.map(nameOf), left: left.map(nameOf) }, changedView);
}

function idsIn(result: unknown, name: string): readonly string[] {
  const ids: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : null;
  return Array.isArray(ids) ? ids.map(String) : [];
}
