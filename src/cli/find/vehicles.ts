// The vehicles of a command: by name, group, label or filter, or all.
import type { Command } from 'commander';
import { joinTrees, type SelectionTree } from '../../contract/selection/tree.js';
import { operations } from '../../generated/operation-table.js';
import type { CallOptions, FleetClient } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call, type Selecting } from '../connection/call.js';
import type { Context, ReportingRun } from '../context/context.js';
import { refusal } from '../errors/cli-error.js';
import { repeatable } from '../parse/repeatable.js';
import { vehicleKind } from '../records/vehicle.js';
import { chosenRows } from '../shape/chosen-rows.js';
import { compareValues } from '../shape/compare.js';
import { vehicleView } from '../views/vehicle.js';
import type { VehicleRow } from '../views/vehicle-row.js';
import { addMemberFlags, hasMemberFlags, idsIn, type MemberFlags, membership } from './membership.js';

export interface VehicleFlags extends MemberFlags {
  readonly vehicleFilter?: readonly string[];
}

export const vehiclesArgument = [
  '[vehicle...]',
  'ids, or names, plates or VINs, or unique parts of them (on a terminal); default: all vehicles',
] as const;

export function addVehicleFlags(command: Command, which: { readonly byLabel?: boolean } = {}): Command {
  return addMemberFlags(command, which).option(
    '--vehicle-filter <condition>',
    'the vehicles that --filter of `fleet vehicles list` would show; repeat to combine',
    repeatable,
  );
}

/** Returns the name of the only vehicle; null when there may be several. */
export function onlyVehicle(names: readonly string[], flags: VehicleFlags): string | null {
  const [name, ...others] = names;
  if (name !== undefined && hasVehicleFlags(flags)) {
    throw refusal('Give either vehicles, or --group, --label and --vehicle-filter.', {
      hint: 'The flags choose among all vehicles.',
    });
  }
  return name !== undefined && others.length === 0 ? name : null;
}

export function hasVehicleFlags(flags: VehicleFlags): boolean {
  return hasMemberFlags(flags) || flags.vehicleFilter !== undefined;
}

export interface ChosenVehicle {
  readonly id: string;
  /** Name, else plate, else id. */
  readonly name: string;
  /** Null for an unknown id. */
  readonly row: VehicleRow | null;
}

/** Checks the filters and returns a function that reads the chosen vehicles. */
export function vehicleChoice(
  context: Context,
  names: readonly string[],
  flags: VehicleFlags,
  { substring }: { readonly substring: boolean } = { substring: true },
): (client: FleetClient, select?: SelectionTree, options?: CallOptions) => Promise<readonly ChosenVehicle[]> {
  const fields = 'id,name,licensePlate,vin,isDeleted,assignedGroups.id,assignedLabels.id';
  const shape = chosenRows(context, vehicleView, operations.getVehicles, { fields, filter: flags.vehicleFilter });
  return (client, select = {}, options = {}) =>
    choose(context, client, names, flags, (rows) => shape.rows(rows), {
      ...options,
      substring,
      select: joinTrees(shape.options.select ?? {}, select),
    });
}

/** Reads the vehicles in one request: named ones in order, others sorted by name. */
async function choose(
  run: ReportingRun,
  client: FleetClient,
  names: readonly string[],
  flags: VehicleFlags,
  filtered: (rows: readonly VehicleRow[]) => AsyncIterable<VehicleRow>,
  { select, substring, ...options }: Selecting & { readonly substring: boolean },
): Promise<readonly ChosenVehicle[]> {
  const [listed, isMember] = await Promise.all([
    allowPartial(run, (partialOptions) => call(client, 'getVehicles', {}, { ...partialOptions, ...options, select })),
    membership(run, client, flags, options, substring),
  ]);
  if (names.length > 0) {
    const byId = new Map(listed.map((row) => [row.id, row]));
    const found = idsIn(run, vehicleKind, listed, names, substring);
    return [...new Set(found)].map((id) => chosenVehicle(id, byId.get(id) ?? null));
  }
  const passing: VehicleRow[] = [];
  const passingIds = new Set<string>();
  for await (const { id } of filtered(listed)) if (id) passingIds.add(id);
  for (const row of listed) if (passingIds.has(row.id ?? '') && isMember(row)) passing.push(row);
  return passing
    .flatMap((row) => (row.id ? [chosenVehicle(row.id, row)] : []))
    .sort((a, b) => compareValues(a.name, b.name));
}

function chosenVehicle(id: string, row: VehicleRow | null): ChosenVehicle {
  return { id, name: row?.name || row?.licensePlate || id, row };
}
