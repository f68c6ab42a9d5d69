import { operations } from "../../../generated/operation-table.js";
import { FleetError } from "../../../index.js";
import { allowPartial } from "../../connection/allow-partial.js";
import { connect } from "../../connection/connect.js";
import { vehicleNames } from "../../connection/vehicle-names.js";
import { formatOf, printRows } from "../../context/print.js";
import { FailedVehicles } from "../../errors/failed-vehicles.js";
import { listOf } from "../../find/parts.js";
import { onlyVehicle, vehicleChoice } from "../../find/vehicles.js";
import { vehicleKind } from "../../records/vehicle.js";
import { isAsked } from "../../shape/asked.js";
import { listShape } from "../../shape/list-shape.js";
function withVehicle(view) {
  const [first = "id"] = view.fields;
  return {
    ...view,
    columns: [{ title: "VEHICLE", text: ({ vehicle }) => vehicle ?? "", min: 8, rank: 0 }, ...view.columns],
    fields: ["vehicle", "vehicleId", ...view.fields.filter((field) => field !== "vehicleId")],
    // They come from the list of vehicles; something must be requested all the same.
    added: { ...view.added, vehicle: [first], vehicleId: [first] },
    total: void 0
  };
}
async function printParts(context, names, flags, { operation, read, view, noun }) {
  const only = onlyVehicle(names, flags);
  if (only === null) {
    const shape2 = listShape(context, withVehicle(view), operations[operation]);
    const choose = vehicleChoice(context, names, flags);
    const client2 = await connect(context);
    const rows2 = await partsOf(
      context,
      await choose(client2),
      operation,
      (vehicleId, options) => read(client2, vehicleId, { ...options, ...shape2.options })
    );
    return printRows(context, shape2.rows(rows2), shape2.view, `The vehicles have no ${noun}.`);
  }
  const shape = listShape(context, ofOneVehicle(view), operations[operation]);
  const client = await connect(context);
  const hasFields = context.globals.fields !== void 0;
  const hasNames = hasFields ? isAsked(context, ["vehicle"]) : !formatOf(context).forPeople;
  const rows = await listOf(
    context,
    client,
    vehicleKind,
    only,
    async (vehicleId, context2) => {
      const [parts, names2] = await Promise.all([
        allowPartial(context2, (options) => read(client, vehicleId, { ...options, ...shape.options })),
        hasNames ? vehicleNames(context2, client) : null
      ]);
      const vehicle = names2?.get(vehicleId) || vehicleId;
      return parts.map((part) => ({ vehicle, vehicleId, ...part }));
    }
  );
  return printRows(context, shape.rows(rows), shape.view, `The vehicle has no ${noun}.`);
}
function ofOneVehicle(view) {
  return { ...withVehicle(view), columns: view.columns };
}
async function partsOf(context, vehicles, operation, read) {
  const failed = new FailedVehicles(
    operation,
    (vehicleId) => vehicles.find(({ id }) => id === vehicleId)?.name ?? vehicleId
  );
  const lists = await Promise.all(
    vehicles.map(async ({ id, name }) => {
      try {
        const rows = await read(id, { signal: context.io.signal });
        return rows.map((row) => ({ vehicle: name, vehicleId: id, ...row }));
      } catch (error) {
        if (!isOfOneVehicle(error)) throw error;
        failed.add(id, error);
        return [];
      }
    })
  );
  failed.report(context.report);
  return lists.flat();
}
function isOfOneVehicle(error) {
  return error instanceof FleetError && (error.code === "GRAPHQL" || error.code === "PROTOCOL");
}
export {
  printParts,
  withVehicle
};
