// The vehicles that a change is about: one, which is typed, or several, which are named or chosen by flags. Without either there is none.

import { wholeOf } from '../../connection/allow-partial.js';
import type { Context } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { hasVehicleFlags, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import type { ChangeFlags } from '../../plan/flags.js';
import type { NamedRecords } from '../../plan/several.js';

/** Whole names only. @throws CliError USAGE when the vehicles are given in two ways */
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
      // Vehicles that are missing from an incomplete answer would stay as they are.
      const vehicles = await wholeOf(context, (options) => choose(client, {}, options), 'changed');
      return vehicles.map(({ id }) => id);
    },
  };
}

export function choosesVehicles(context: Context, flags: ChangeFlags & VehicleFlags): boolean {
  return hasVehicleFlags(withFilter(context, flags));
}

/** There are no rows to filter, so --filter chooses vehicles. */
function withFilter<Flags extends VehicleFlags>({ globals: { filter = [] } }: Context, flags: Flags): Flags {
  return filter.length > 0 ? { ...flags, vehicleFilter: [...(flags.vehicleFilter ?? []), ...filter] } : flags;
}
