// Changes the groups of several vehicles: a plan that says what changes for each, then a question, then the changes.
import type { CallOptions, FleetClient } from '../../../index.js';
import { carryOutRecords } from '../../apply/record-plan.js';
import { type RecordStep, stepView } from '../../apply/record-step.js';
import { requireConfirmable, wholePlan } from '../../change/confirm.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context, ReportingRun } from '../../context/context.js';
import { printRows } from '../../context/print.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { groupKind } from '../../find/kinds.js';
import { idsIn } from '../../find/membership.js';
import { type ChosenVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';

export interface GroupChange extends VehicleFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly failFast?: true;
  readonly failed?: string;
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** All vehicles and groups are named in full, or chosen by flags: if one name is not clear, nothing is sent. */
export async function changeGroupsOfSeveral(
  context: Context,
  names: readonly string[],
  flags: GroupChange,
): Promise<void> {
  const { add = [], remove = [] } = flags;
  if (add.length + remove.length === 0) {
    throw refusal('No change is given.', {
      hint: 'Add --add <group> or --remove <group>.',
    });
  }
  const choose = vehicleChoice(context, names, flags, { substring: false });
  requireConfirmable(context, flags, wholePlan);
  const client = await connect(context);
  // Groups that are missing from an incomplete answer would not be left.
  const [vehicles, groupsOf] = await wholeOf(
    context,
    (options) =>
      Promise.all([
        choose(client, { assignedGroups: { id: true, name: true } }, options),
        groupFinder(context, client, options),
      ]),
    'changed',
  );
  const wanted = { add: groupsOf(add), remove: groupsOf(remove) };
  const both = wanted.add.find(({ id }) => wanted.remove.some((other) => other.id === id));
  if (both) {
    throw refusal(`The group "${both.name}" is to be added and removed.`, {
      hint: 'Give it to one of --add and --remove.',
    });
  }
  if (vehicles.length === 0) return printRows(context, [], stepView, 'There is no such vehicle.');
  const steps = vehicles.map((vehicle) => stepOf(vehicle, wanted.add, wanted.remove));
  await carryOutRecords(context, client, { steps }, flags);
}

async function groupFinder(
  run: ReportingRun,
  client: FleetClient,
  options: CallOptions,
): Promise<(names: readonly string[]) => readonly NamedGroup[]> {
  const groups = await call(client, 'getGroups', {}, { ...options, select: groupKind.identity });
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name ?? id;
  return (names) => [...new Set(idsIn(run, groupKind, groups, names, false))].map((id) => ({ id, name: nameOf(id) }));
}

function stepOf(
  { id, name, row }: ChosenVehicle,
  add: readonly NamedGroup[],
  remove: readonly NamedGroup[],
): RecordStep {
  if (row === null) {
    throw new CliError('NOT_FOUND', `There is no vehicle with the id ${id}.`, {
      undone: 'sent',
      hint: '`fleet vehicles list` lists all of them.',
    });
  }
  const before = (row.assignedGroups ?? []).flatMap((group): readonly NamedGroup[] =>
    group?.id ? [{ id: group.id, name: group.name || group.id }] : [],
  );
  const isIn = (groups: readonly NamedGroup[]) => (group: NamedGroup) => groups.some((other) => other.id === group.id);
  const joined = add.filter((group) => !isIn(before)(group));
  const left = remove.filter(isIn(before));
  const after = [...before.filter((group) => !isIn(left)(group)), ...joined];
  const input = {
    ...(joined.length > 0 ? { addGroupIds: idsOf(joined) } : {}),
    ...(left.length > 0 ? { removeGroupIds: idsOf(left) } : {}),
  };
  const isChange = joined.length + left.length > 0;
  return {
    action: isChange ? 'change' : 'keep',
    name,
    id,
    line: null,
    source: { vehicleId: id, ...input },
    changes: isChange ? [{ field: 'groups', before: textOf(before), after: textOf(after) }] : [],
    requests: () => [
      {
        operation: 'changeVehicleGroups',
        variables: { vehicleId: id, changeVehicleGroupsInput: input },
        // Joining or leaving a group twice has no further effect.
        idempotent: true,
      },
    ],
  };
}

function idsOf(groups: readonly NamedGroup[]): readonly string[] {
  return groups.map(({ id }) => id);
}

function textOf(groups: readonly NamedGroup[]): string {
  return groups.map(({ name }) => name).join(', ');
}
