import { joinTrees } from "../../../contract/selection/tree.js";
import { operations } from "../../../generated/operation-table.js";
import { timestampMs } from "../../../telemetry/timestamps.js";
import { allowPartial } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { connect } from "../../connection/connect.js";
import { driverNames } from "../../connection/driver-names.js";
import { vehicleNames } from "../../connection/vehicle-names.js";
import { serviceNow } from "../../context/context.js";
import { formatOf, printRows } from "../../context/print.js";
import { refusal } from "../../errors/cli-error.js";
import { findId } from "../../find/record.js";
import { hasVehicleFlags, onlyVehicle, vehicleChoice } from "../../find/vehicles.js";
import {
  endsTooEarly,
  readPeriodExpression,
  withDay
} from "../../parse/time.js";
import { driverKind } from "../../records/person.js";
import { vehicleKind } from "../../records/vehicle.js";
import { isAsked } from "../../shape/asked.js";
import { isMarkedDeleted } from "../../shape/deleted.js";
import { listShape } from "../../shape/list-shape.js";
import { periodText } from "../../time/period-text.js";
import { fleetAssignmentView } from "../../views/assignment.js";
import { assignmentsOfSeveral } from "./assignments-of-several.js";
const ASSIGNMENT_CLOCK_SKEW_MS = 36e5;
async function listAssignments(context, flags) {
  const { vehicle: vehicles = [], driver: drivers = [], deleted } = flags;
  const onlyOne = onlyVehicle(vehicles, flags);
  const isSimple = vehicles.length <= 1 && drivers.length <= 1 && !hasVehicleFlags(flags);
  const [vehicle, driver] = [onlyOne ?? void 0, drivers[0]];
  const period = periodOfAssignments(context, withDay(context, flags));
  const isOfOne = isSimple && (vehicle ?? driver) !== void 0;
  const shape = listShape(
    context,
    fleetAssignmentView,
    operations.getDriverAssignments,
    deleted === true
  );
  const select = shape.options.select && joinTrees(shape.options.select, { startedAt: true, endedAt: true });
  const client = await connect(context);
  const emptyText = "No assignment was found.";
  if (!isOfOne) {
    const choose = vehicleChoice(context, vehicles, flags);
    const rows2 = await assignmentsOfSeveral(context, client, {
      choose,
      drivers,
      ofDriversOnly: vehicles.length === 0 && !hasVehicleFlags(flags),
      select
    });
    const within2 = await assignmentsWithin(context, client, period, rows2);
    const view2 = await withPeriod(context, client, period, shape.view);
    return printRows(context, shape.rows(within2), view2, emptyText);
  }
  const [vehicleId, driverId] = await Promise.all([
    vehicle === void 0 ? void 0 : findId(context, client, vehicleKind, vehicle, { substring: true }),
    driver === void 0 ? void 0 : findId(context, client, driverKind, driver, { substring: true })
  ]);
  const input = inputOf(vehicleId, driverId);
  const withNames = context.globals.fields === void 0 || isAsked(context, ["vehicle", "driver"]);
  const rows = withNames ? (await readWithNames(context, client, input, select)).map(withNameFields) : await read(context, client, input, select);
  const within = await assignmentsWithin(context, client, period, rows);
  const view = await withPeriod(context, client, period, shape.view);
  await printRows(context, shape.rows(within), view, emptyText);
}
async function withPeriod(context, client, period, view) {
  if (period === null) return view;
  const text = periodText(await period.span(context, client), context.zone.name);
  if (formatOf(context).forPeople) context.report.remark(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return { ...view, period: text };
}
function withNameFields(row) {
  const { vehicleName, driverName, ...assignment } = row;
  return { vehicle: vehicleName ?? row.vehicleId ?? "", driver: driverName ?? row.driverId ?? "", ...assignment };
}
function periodOfAssignments(run, { from, to }) {
  if (from === void 0 && to === void 0) return null;
  if (from === void 0) {
    throw refusal("--to needs --from.", {
      hint: "For example --from monday --to friday."
    });
  }
  return readPeriodExpression(run, from, to, () => endsTooEarly(to), { mayBeToCome: true });
}
async function assignmentsWithin(run, client, period, rows) {
  if (period === null) return rows;
  const { from, to } = await period.span(run, client);
  return rows.filter(({ startedAt, endedAt }) => {
    const [start, end] = [timestampMs(startedAt), timestampMs(endedAt)];
    return start !== null && start < to && (end === null || end > from);
  });
}
function inputOf(vehicleId, driverId) {
  if (vehicleId === void 0) return { driverId: driverId ?? "" };
  return driverId === void 0 ? { vehicleId } : { vehicleId, driverId };
}
async function showAssignmentsSince(context, client, { vehicleId, since }) {
  const earliestEnd = Math.min(serviceNow(context), timestampMs(since) ?? Number.POSITIVE_INFINITY) - ASSIGNMENT_CLOCK_SKEW_MS;
  const rows = await readWithNames(context, client, { vehicleId }, void 0);
  const recent = rows.filter(
    (row) => !isMarkedDeleted(row) && (timestampMs(row.endedAt) ?? Number.POSITIVE_INFINITY) >= earliestEnd
  );
  await printRows(context, recent.map(withNameFields), fleetAssignmentView, "The vehicle has no assignment now.");
}
function read(run, client, input, select) {
  return allowPartial(run, (options) => call(client, "getDriverAssignments", { input }, { ...options, select }));
}
async function readWithNames(run, client, input, select) {
  const [vehicles, rows, drivers] = await Promise.all([
    vehicleNames(run, client),
    read(run, client, input, select),
    driverNames(run, client)
  ]);
  return rows.map((row) => ({
    ...row,
    vehicleName: vehicles.get(row.vehicleId ?? "") || void 0,
    driverName: drivers.get(row.driverId ?? "") || void 0
  }));
}
export {
  listAssignments,
  showAssignmentsSince
};
