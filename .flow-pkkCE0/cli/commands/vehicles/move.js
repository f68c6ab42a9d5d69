import { allowPartial } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { note } from "../../context/context.js";
import { examples } from "../../context/define-command.js";
import { printRows } from "../../context/print.js";
import { refusal } from "../../errors/cli-error.js";
import { change } from "../../plan/change.js";
import { addChangeFlags } from "../../plan/flags.js";
import { presentMembers } from "../../plan/plan-record.js";
import { groupKind } from "../../records/group.js";
import { vehicleKind } from "../../records/vehicle.js";
import { namesText } from "../../views/humanize.js";
const defineMove = (noun, open) => {
  const move = noun.command("move").description("move vehicles from one group to another (changeVehiclesGroup)").argument("[vehicle...]", "ids, names, plates or VINs: all of them move, or none").option("--from <group>", "group to remove them from, by id or name").option("--to <group>", "group to add them to, by id or name");
  addChangeFlags(move, { input: false });
  move.addHelpText(
    "after",
    examples([
      'fleet vehicles move --from "Long haul West" --to "Winter roster" "Truck 07" "Truck 08"',
      "all of them or none"
    ])
  ).action((vehicles, flags) => {
    const group = { into: "variables", kind: groupKind };
    return change(open(), flags, {
      operation: "changeVehiclesGroup",
      subject: {
        kind: vehicleKind,
        action: "update",
        wanted: ({ sourceGroupId, destinationGroupId }) => ({
          removeGroupIds: [sourceGroupId],
          addGroupIds: [destinationGroupId]
        })
      },
      input: null,
      references: [
        {
          name: "vehicleIds",
          into: "variables",
          kind: vehicleKind,
          typed: vehicles.length > 0 ? [...new Set(vehicles)] : void 0,
          list: true,
          requiredAs: "<vehicle\u2026>"
        },
        { ...group, name: "sourceGroupId", typed: flags.from, requiredAs: "--from <group>" },
        { ...group, name: "destinationGroupId", typed: flags.to, requiredAs: "--to <group>" }
      ],
      contradiction: notInSource,
      flags: {},
      display: { print: (context, client, done) => printMoved(context, client, done) }
    });
  });
};
const notInSource = (given, { records, names }) => {
  const { vehicleIds, sourceGroupId, destinationGroupId } = given;
  const nameOf = (id) => names.get(String(id)) ?? String(id);
  if (sourceGroupId === destinationGroupId) {
    return refusal(`"${nameOf(sourceGroupId)}" is the source and the destination.`, {
      hint: "Give another group with --to."
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
    hint: "All vehicles move or none. Leave these out, or use `fleet vehicles groups --add --remove`."
  });
};
async function printMoved(context, client, { variables }) {
  const ids = new Set(Array.isArray(variables.vehicleIds) ? variables.vehicleIds : []);
  const select = { id: true, name: true, licensePlate: true, assignedGroups: { id: true, name: true } };
  const all = await allowPartial(context, (options) => call(client, "getVehicles", {}, { ...options, select }));
  const moved = all.filter(({ id }) => ids.has(id));
  const arrived = moved.filter(
    ({ assignedGroups }) => assignedGroups?.some((group) => group?.id === variables.destinationGroupId)
  );
  note(context, `${arrived.length} of ${ids.size} ${ids.size === 1 ? "vehicle is" : "vehicles are"} in the group now.`);
  await printRows(context, moved, movedView, "");
}
const movedView = {
  columns: [
    { title: "NAME", text: ({ name }) => name ?? "", min: 10, rank: 0 },
    { title: "PLATE", text: ({ licensePlate }) => licensePlate ?? "", min: 8, rank: 2 },
    {
      title: "GROUPS",
      text: ({ assignedGroups }) => (assignedGroups ?? []).flatMap((group) => group?.name ?? []).join(", "),
      min: 12,
      rank: 1
    },
    { title: "ID", text: ({ id }) => id ?? "", namedBy: ({ name }) => name, rank: 0 }
  ],
  fields: ["id", "name", "licensePlate", "assignedGroups.name"]
};
export {
  defineMove
};
