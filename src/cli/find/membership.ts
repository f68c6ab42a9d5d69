// Which vehicles are in groups or have labels that the user names.
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
import { findEachIn, requireIds } from './match.js';

export interface MemberFlags {
  readonly group?: readonly string[];
  readonly label?: readonly string[];
}

/** What `membership` reads of a vehicle. */
export type MemberRow = Pick<VehicleRow, 'assignedGroups' | 'assignedLabels'>;
export const memberSelection: SelectionTree = { assignedGroups: { id: true }, assignedLabels: { id: true } };

/** Without `byLabel` for a command whose --label is something else. */
export function addMemberFlags(command: Command, { byLabel = true }: { readonly byLabel?: boolean } = {}): Command {
  command.option('--group <group>', 'the vehicles of this group and of those below it; repeat for more', repeatable);
  if (byLabel) command.option('--label <label>', 'the vehicles with this label; repeat for more', repeatable);
  return command;
}

export function hasMemberFlags({ group, label }: MemberFlags): boolean {
  return group !== undefined || label !== undefined;
}

/**
 * Whether a vehicle is in one of the groups and has one of the labels. The lists of groups and labels are sent together. `substring`: a part
 * of a name is enough, for commands that read.
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

/** The groups and all groups below them. */
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
  // A group may be listed before the one above it, and groups may contain each other by mistake.
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

/** The id of each record that is named. @throws CliError when there is none, or several. */
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

/** Refuses an empty name, which a script passes when a variable is empty. */
function requireText(text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  throw new CliError('USAGE', 'One of the names is empty.', { hint: 'Give ids or names.' });
}
