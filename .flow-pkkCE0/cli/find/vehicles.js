import { joinTrees } from "../../contract/selection/tree.js";
import { operations } from "../../generated/operation-table.js";
import { allowPartial } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { refusal } from "../errors/cli-error.js";
import { repeatable } from "../parse/repeatable.js";
import { vehicleKind } from "../records/vehicle.js";
import { chosenRows } from "../shape/chosen-rows.js";
import { compareValues } from "../shape/compare.js";
import { vehicleView } from "../views/vehicle.js";
import { addMemberFlags, hasMemberFlags, idsIn, membership } from "./membership.js";
const vehiclesArgument = [
  "[vehicle...]",
  "ids, or names, plates or VINs, or unique parts of them (on a terminal); default: all vehicles"
];
function addVehicleFlags(command, which = {}) {
  return addMemberFlags(command, which).option(
    "--vehicle-filter <condition>",
    "the vehicles that --filter of `fleet vehicles list` would show; repeat to combine",
    repeatable
  );
}
function onlyVehicle(names, flags) {
  const [name, ...others] = names;
  if (name !== void 0 && hasVehicleFlags(flags)) {
    throw refusal("Give either vehicles, or --group, --label and --vehicle-filter.", {
      hint: "The flags choose among all vehicles."
    });
  }
  return name !== void 0 && others.length === 0 ? name : null;
}
function hasVehicleFlags(flags) {
  return hasMemberFlags(flags) || flags.vehicleFilter !== void 0;
}
function vehicleChoice(context, names, flags, { substring } = { substring: true }) {
  const fields = "id,name,licensePlate,vin,isDeleted,assignedGroups.id,assignedLabels.id";
  const shape = chosenRows(context, vehicleView, operations.getVehicles, { fields, filter: flags.vehicleFilter });
  return (client, select = {}, options = {}) => choose(context, client, names, flags, (rows) => shape.rows(rows), {
    ...options,
    substring,
    select: joinTrees(shape.options.select ?? {}, select)
  });
}
async function choose(run, client, names, flags, filtered, { select, substring, ...options }) {
  const [listed, isMember] = await Promise.all([
    allowPartial(run, (partialOptions) => call(client, "getVehicles", {}, { ...partialOptions, ...options, select })),
    membership(run, client, flags, options, substring)
  ]);
  if (names.length > 0) {
    const byId = new Map(listed.map((row) => [row.id, row]));
    const found = idsIn(run, vehicleKind, listed, names, substring);
    return [...new Set(found)].map((id) => chosen(id, byId.get(id) ?? null));
  }
  const passing = [];
  const passingIds = /* @__PURE__ */ new Set();
  for await (const { id } of filtered(listed)) if (id) passingIds.add(id);
  for (const row of listed) if (passingIds.has(row.id ?? "") && isMember(row)) passing.push(row);
  return passing.flatMap((row) => row.id ? [chosen(row.id, row)] : []).sort((a, b) => compareValues(a.name, b.name));
}
function chosen(id, row) {
  return { id, name: row?.name || row?.licensePlate || id, row };
}
export {
  addVehicleFlags,
  hasVehicleFlags,
  onlyVehicle,
  vehicleChoice,
  vehiclesArgument
};
