import { wholeOf } from "../../connection/allow-partial.js";
import { refusal } from "../../errors/cli-error.js";
import { hasVehicleFlags, onlyVehicle, vehicleChoice } from "../../find/vehicles.js";
function chosenVehicles(context, names, flags) {
  const chosen = withFilter(context, flags);
  onlyVehicle(names, chosen);
  const [only, ...others] = names;
  if (!hasVehicleFlags(chosen) && others.length === 0) return { typed: only };
  if (flags.input !== void 0) {
    throw refusal("The vehicles are given twice: by the command line and by --input.", {
      hint: "Leave out --input, or the vehicles."
    });
  }
  if (names.length > 0) {
    return { typed: void 0, chosen: () => Promise.resolve([...new Set(names)]) };
  }
  const choose = vehicleChoice(context, [], chosen, { substring: false });
  return {
    typed: void 0,
    chosen: async (client) => {
      const vehicles = await wholeOf(context, (options) => choose(client, {}, options), "changed");
      return vehicles.map(({ id }) => id);
    }
  };
}
function choosesVehicles(context, flags) {
  return hasVehicleFlags(withFilter(context, flags));
}
function withFilter({ globals: { filter = [] } }, flags) {
  return filter.length > 0 ? { ...flags, vehicleFilter: [...flags.vehicleFilter ?? [], ...filter] } : flags;
}
export {
  choosesVehicles,
  chosenVehicles
};
