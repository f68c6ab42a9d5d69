// `fleet vehicles move`: many vehicles from one group to another.
import type { FleetClient, Vehicle } from '../../../index.js';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf, type PlannedChange } from '../../change/plan.js';
import { call } from '../../connection/call.js';
import { tolerate } from '../../errors/partial-result.js';
import { groupKind, vehicleKind } from '../../find/kinds.js';
import type { View } from '../../output/format.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, note, printRows } from '../../run/context.js';

interface MoveFlags extends ChangeFlags {
  readonly from?: string;
  readonly to?: string;
}

export const defineMove: DefineCommand = (noun, open) => {
  const move = noun
    .command('move')
    .description('move vehicles from one group to another (changeVehiclesGroup)')
    .argument('[vehicle...]', 'ids, names, plates or VINs; left out when --input says them')
    .option('--from <group>', 'the group they leave, by id or name')
    .option('--to <group>', 'the group they join, by id or name');
  addChangeFlags(move, { input: false, asks: false });
  move
    .addHelpText(
      'after',
      examples(
        [
          'fleet vehicles move --from "Long haul West" --to "Winter roster" "Truck 07" "Truck 08"',
          'all of them, or none',
        ],
        ['fleet vehicles move --from "Long haul West" --to "Winter roster" --input vehicles.ndjson', 'one by one'],
        ['"Truck 07"', 'a line of such a file'],
      ),
    )
    .action((vehicles: readonly string[], flags: MoveFlags) => {
      const group = { into: 'variables', resolve: idsOf(groupKind) } as const;
      return change(open(), flags, {
        operation: 'changeVehiclesGroup',
        input: null,
        references: [
          {
            name: 'vehicleIds',
            into: 'variables',
            resolve: idsOf(vehicleKind),
            said: vehicles.length > 0 ? [...new Set(vehicles)] : undefined,
            list: true,
            needed: '<vehicle…>',
          },
          { ...group, name: 'sourceGroupId', said: flags.from, needed: '--from <group>' },
          { ...group, name: 'destinationGroupId', said: flags.to, needed: '--to <group>' },
        ],
        flags: {},
        shown: { look: (context, client, done) => showMoved(context, client, done) },
      });
    });
};

/**
 * The vehicles as they are now. What the operation itself returns is a list of texts that the contract says nothing more of.
 */
async function showMoved(context: Context, client: FleetClient, { variables }: PlannedChange): Promise<void> {
  const ids = new Set(Array.isArray(variables.vehicleIds) ? variables.vehicleIds : []);
  const select = { id: true, name: true, licensePlate: true, assignedGroups: { id: true, name: true } } as const;
  const all = await tolerate(context, (options) => call(client, 'getVehicles', {}, { ...options, select }));
  const moved = all.filter(({ id }) => ids.has(id));
  const arrived = moved.filter(({ assignedGroups }) =>
    assignedGroups?.some((group) => group?.id === variables.destinationGroupId),
  );
  note(context, `${arrived.length} of ${ids.size} ${ids.size === 1 ? 'vehicle is' : 'vehicles are'} in the group now:`);
  await printRows(context, moved, movedView, '');
}

const movedView: View<Pick<Vehicle, 'id' | 'name' | 'licensePlate' | 'assignedGroups'>> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'PLATE', text: ({ licensePlate }) => licensePlate ?? '', min: 8, rank: 2 },
    {
      title: 'GROUPS',
      text: ({ assignedGroups }) => (assignedGroups ?? []).flatMap((group) => group?.name ?? []).join(', '),
      min: 12,
      rank: 1,
    },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
  ],
  details: [],
  fields: ['id', 'name', 'licensePlate', 'assignedGroups.name'],
};
