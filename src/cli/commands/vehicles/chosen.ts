// The vehicles of a change: one or several, by name or by flags, or none.

import { wholeOf } from '../../connection/allow-partial.js';
import type { Context } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { hasVehicleFlags, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import type { ChangeFlags } from '../../plan/flags.js';
import type { NamedRecords } from '../../plan/named-records.js';

/** Returns the chosen vehicles; names must be complete. Refuses two choices at once. */
export function chosenVehicles(
  context: Context,
  names: readonly string[],
  flags: ChangeFlags & VehicleFlags,
): NamedRecords {
  const chosen = withFilter(context, flags);
  onlyVehicle(names, chosen);
  const [only, ...others] = names;
  if (!hasVehicleFlags(chosen) && others.length === 0) return { typed: only };
  if (flags.input !== undefined) {
    throw refusal('The vehicles are given twice: by the command line and by --input.', {
      hint: 'Leave out --input, or the vehicles.',
    });
  }
  if (names.length > 0) {
    return { typed: undefined, chosen: () => Promise.resolve([...new Set(names)]) };
  }
  const choose = vehicleChoice(context, [], chosen, { substring: false });
  return {
    typed: undefined,
    chosen: async (client) => {
      // Vehicles that are missing in an incomplete answer would not be changed.
      const vehicles = await wholeOf(context, (options) => choose(client, {}, options), 'changed');
      return vehicles.map(({ id }) => id);
    },
  };
}

export function choosesVehicles(context: Context, flags: ChangeFlags & VehicleFlags): boolean {
  return hasVehicleFlags(withFilter(context, flags));
}

/** Adds --filter to the vehicle filters: these commands have no rows to filter. */
function withFilter<Flags extends VehicleFlags>({ globals: { filter = [] } }: Context, flags: Flags): Flags {
  return filter.length > 0 ? { ...flags, vehicleFilter: [...(flags.vehicleFilter ?? []), ...filter] } : flags;
}
