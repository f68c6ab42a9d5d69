import { badRequest } from "../../core/refusals.js";
import { isActiveAt } from "../../store/assignments.js";
import { telemetryVehicleOf } from "../../store/telemetry-vehicle.js";
const noTokenForms = {
  iButton: null,
  oneWire: null,
  rfidIButton: null,
  rfidIButtonHex: null,
  rfidIButtonReversed: null,
  rfidIButtonReversedHex: null,
  rfid: null,
  rfidHex: null
};
function reversedBytes(hex) {
  return (hex.match(/../g) ?? []).reverse().join("");
}
function snapshotDriver(fleet, driverId) {
  const token = fleet.tokens.findBy("driver", driverId)[0];
  if (token === void 0) return { driverId, ...noTokenForms };
  const { value } = token;
  if (!/^(?:[0-9a-f]{2}){1,16}$/i.test(value)) return { driverId, ...noTokenForms, iButton: value };
  const reversed = reversedBytes(value);
  const decimal = (hex) => BigInt(`0x${hex}`).toString();
  const card = value.slice(-8);
  return {
    driverId,
    iButton: value,
    oneWire: reversed,
    rfidIButton: decimal(value),
    rfidIButtonHex: value,
    rfidIButtonReversed: decimal(reversed),
    rfidIButtonReversedHex: reversed,
    rfid: decimal(card),
    rfidHex: card
  };
}
function driverTimeline(fleet, vehicleId) {
  const periods = fleet.assignments.findBy("vehicle", vehicleId).sort((a, b) => a.startedAt - b.startedAt).map((row) => ({
    start: row.startedAt,
    end: row.endedAt,
    driver: snapshotDriver(fleet, row.driverId)
  }));
  let cached = periods[0];
  return (time) => {
    if (cached !== void 0 && isActiveAt(cached, time)) return cached.driver;
    const match = periods.find((period) => isActiveAt(period, time));
    if (match === void 0) return null;
    cached = match;
    return match.driver;
  };
}
function driverChanges(fleet, vehicleId) {
  return fleet.assignments.findBy("vehicle", vehicleId).flatMap(({ startedAt, endedAt }) => endedAt === null ? startedAt : [startedAt, endedAt]);
}
function withVehicleAndDriver(row, vehicle, context) {
  const assignment = context.assignmentAt(vehicle.id, row.timestamp);
  return { ...row, vehicle, driver: assignment === null ? null : snapshotDriver(context.fleet, assignment.driverId) };
}
function findSnapshotRows({ vehicleId, from, to }, context) {
  if (from > to) throw badRequest("from must not be after to.");
  const vehicle = context.scope.vehicle(vehicleId);
  if (vehicle === null) return null;
  const source = telemetryVehicleOf(vehicle);
  return {
    vehicle,
    from,
    to: Math.min(to, context.now),
    rowsKey: context.telemetry.rowsKey(source),
    rows: (begin, end) => begin > end ? [] : context.telemetry.snapshots(source, begin, end)
  };
}
function* snapshotsInPeriod(period, context) {
  const match = findSnapshotRows(period, context);
  if (match === null) return;
  const driverAt = driverTimeline(context.fleet, match.vehicle.id);
  for (const row of match.rows(match.from, match.to)) {
    if (!context.tryAddRecords(100)) return;
    yield { ...row, vehicle: match.vehicle, driver: driverAt(row.timestamp) };
  }
}
const rootResolvers = {
  getSnapshots: (period, context) => [...snapshotsInPeriod(period, context)],
  getLatestSnapshots({ vehicleIds }, context) {
    const snapshots = [];
    for (const id of new Set(vehicleIds)) {
      const vehicle = context.scope.vehicle(id);
      const row = vehicle === null ? null : context.latestSnapshot(vehicle);
      if (vehicle !== null && row !== null) snapshots.push(withVehicleAndDriver(row, vehicle, context));
    }
    return snapshots;
  }
};
export {
  driverChanges,
  driverTimeline,
  findSnapshotRows,
  rootResolvers,
  withVehicleAndDriver
};
