// Selects vehicles by groups and labels.
import type { Command } from 'commander';
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { CallOptions, FleetClient, Group } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { ReportingRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { repeatable } from '../parse/repeatable.js';
import { groupKind } from '../records/group.js';
import type { RecordKind } from '../records/record-kind.js';
import { labelKind } from '../records/reference-data.js';
import type { VehicleRow } from '../views/vehicle-row.js';
import { findEachIn, requireIds } from './choose-record.js';

export interface MemberFlags {
  readonly group?: readonly string[];
  readonly label?: readonly string[];
}

/** The members that `membership` reads. */
export type MemberRow = Pick<VehicleRow, 'assignedGroups' | 'assignedLabels'>;
export const memberSelection: SelectionTree = { assignedGroups: { id: true }, assignedLabels: { id: true } };

/** Adds the flags. `byLabel`: false when --label has another meaning. */
export function addMemberFlags(command: Command, { byLabel = true }: { readonly byLabel?: boolean } = {}): Command {
  command.option('--group <group>', 'the vehicles of this group and of those below it; repeat for more', repeatable);
  if (byLabel) command.option('--label <label>', 'the vehicles with this label; repeat for more', repeatable);
  return command;
}

export function hasMemberFlags({ group, label }: MemberFlags): boolean {
  return group !== undefined || label !== undefined;
}

/**
 * Returns a test for vehicles in the groups and with the labels. `substring`: accept parts of
 * names.
 */
export async function membership(
  run: ReportingRun,
  client: FleetClient,
  { group, label }: MemberFlags,
  options: CallOptions = {},
  substring = true,
): Promise<(vehicle: MemberRow) => boolean> {
  const [groupIds, labelIds] = await Promise.all([
    group === undefined ? null : idsOfGroups(run, client, group, options, substring),
    label === undefined ? null : idsOfLabels(run, client, label, options, substring),
  ]);
  const isIn = (
    ids: ReadonlySet<string> | null,
    members: VehicleRow['assignedGroups'] | VehicleRow['assignedLabels'],
  ) => ids === null || (members ?? []).some((member) => ids.has(member?.id ?? ''));
  return ({ assignedGroups, assignedLabels }) => isIn(groupIds, assignedGroups) && isIn(labelIds, assignedLabels);
}

/** Returns the groups and all their descendants. */
async function idsOfGroups(
  run: ReportingRun,
  client: FleetClient,
  names: readonly string[],
  options: CallOptions,
  substring: boolean,
): Promise<ReadonlySet<string>> {
  const select = { ...groupKind.identity, parentId: true } as const;
  const groups = await allowPartial(run, (partialOptions) =>
    call(client, 'getGroups', {}, { ...partialOptions, ...options, select }),
  );
  const ids = new Set(idsIn(run, groupKind, groups, names, substring));
  // Repeated until nothing changes: groups may be unsorted or contain each other by mistake.
  for (let before = 0; before < ids.size; ) {
    before = ids.size;
    for (const { id, parentId } of groups as readonly Group[]) if (id && parentId && ids.has(parentId)) ids.add(id);
  }
  return ids;
}

async function idsOfLabels(
  run: ReportingRun,
  client: FleetClient,
  names: readonly string[],
  options: CallOptions,
  substring: boolean,
): Promise<ReadonlySet<string>> {
  const select = labelKind.identity;
  const labels = await allowPartial(run, (partialOptions) =>
    call(client, 'getLabels', {}, { ...partialOptions, ...options, select }),
  );
  return new Set(idsIn(run, labelKind, labels, names, substring));
}

/** Returns the ids of the named records. Throws CliError unless each name matches one. */
export function idsIn<Row extends object>(
  run: ReportingRun,
  kind: RecordKind<Row>,
  rows: readonly Row[],
  names: readonly string[],
  substring = true,
): readonly string[] {
  const queries = names.map((name) => requireText(name));
  return requireIds(findEachIn(run, kind, rows, queries, substring));
}

/** Refuses an empty name, usually from an empty variable of a script. */
function requireText(text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  throw new CliError('USAGE', 'One of the names is empty.', { hint: 'Give ids or names.' });
}
