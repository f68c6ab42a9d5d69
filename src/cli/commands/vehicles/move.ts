// `fleet vehicles move`: moves vehicles from one group to another.
import type { FleetClient, Vehicle } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { type Context, note } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { refusal } from '../../errors/cli-error.js';
import type { View } from '../../output/view.js';
import { change } from '../../plan/change.js';
import type { ChangeSpec, ResolvedChange } from '../../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import { presentMembers } from '../../plan/plan-record.js';
import { groupKind } from '../../records/group.js';
import { vehicleKind } from '../../records/vehicle.js';
import { namesText } from '../../views/humanize.js';

interface MoveFlags extends ChangeFlags {
  readonly from?: string;
  readonly to?: string;
}

export const defineMove: DefineCommand = (noun, open) => {
  const move = noun
    .command('move')
    .description('move vehicles from one group to another (changeVehiclesGroup)')
    .argument('[vehicle...]', 'ids, names, plates or VINs: all of them move, or none')
    .option('--from <group>', 'group to remove them from, by id or name')
    .option('--to <group>', 'group to add them to, by id or name');
  addChangeFlags(move, { input: false });
  move
    .addHelpText(
      'after',
      examples([
        'fleet vehicles move --from "Long haul West" --to "Winter roster" "Truck 07" "Truck 08"',
        'all of them or none',
      ]),
    )
    .action((vehicles: readonly string[], flags: MoveFlags) => {
      const group = { into: 'variables', kind: groupKind } as const;
      return change(open(), flags, {
        operation: 'changeVehiclesGroup',
        subject: {
          kind: vehicleKind,
          action: 'update',
          desiredMembers: ({ sourceGroupId, destinationGroupId }) => ({
            removeGroupIds: [sourceGroupId],
            addGroupIds: [destinationGroupId],
          }),
        },
        input: null,
        references: [
          {
            name: 'vehicleIds',
            into: 'variables',
            kind: vehicleKind,
            typed: vehicles.length > 0 ? [...new Set(vehicles)] : undefined,
            list: true,
            requiredAs: '<vehicle…>',
          },
          { ...group, name: 'sourceGroupId', typed: flags.from, requiredAs: '--from <group>' },
          { ...group, name: 'destinationGroupId', typed: flags.to, requiredAs: '--to <group>' },
        ],
        contradiction: notInSource,
        flags: {},
        display: { print: (context, client, done) => printMoved(context, client, done) },
      });
    });
};

/** Refuses vehicles outside the source group: the service moves all vehicles or none. */
const notInSource: NonNullable<ChangeSpec['contradiction']> = (changeInput, { records, names }) => {
  const { vehicleIds, sourceGroupId, destinationGroupId } = changeInput;
  const nameOf = (id: unknown) => names.get(String(id)) ?? String(id);
  if (sourceGroupId === destinationGroupId) {
    return refusal(`"${nameOf(sourceGroupId)}" is the source and the destination.`, {
      hint: 'Give another group with --to.',
    });
  }
  const moved = [vehicleIds].flat().flatMap((id) => records.get(String(id)) ?? []);
  const absent = moved.filter(({ row }) => {
    const { groupIds } = presentMembers(row, vehicleKind);
    return Array.isArray(groupIds) && !groupIds.includes(sourceGroupId);
  });
  if (absent.length === 0) return null;
  const group = nameOf(sourceGroupId);
  return refusal(`Not in "${group}": ${namesText(absent.map(({ name }) => name))}.`, {
    hint: 'All vehicles move or none. Leave these out, or use `fleet vehicles groups --add --remove`.',
  });
};

/** Prints the moved vehicles. The contract does not define the texts of the answer. */
async function printMoved(context: Context, client: FleetClient, { variables }: ResolvedChange): Promise<void> {
  const ids = new Set(Array.isArray(variables.vehicleIds) ? variables.vehicleIds : []);
  const select = { id: true, name: true, licensePlate: true, assignedGroups: { id: true, name: true } } as const;
  const all = await allowPartial(context, (options) => call(client, 'getVehicles', {}, { ...options, select }));
  const moved = all.filter(({ id }) => ids.has(id));
  const arrived = moved.filter(({ assignedGroups }) =>
    assignedGroups?.some((group) => group?.id === variables.destinationGroupId),
  );
  note(context, `${arrived.length} of ${ids.size} ${ids.size === 1 ? 'vehicle is' : 'vehicles are'} in the group now.`);
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
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  fields: ['id', 'name', 'licensePlate', 'assignedGroups.name'],
};
