import { joinTrees } from "../../contract/selection/tree.js";
import { DeviceClocks } from "../../telemetry/device-clocks.js";
import { timestampMs } from "../../telemetry/timestamps.js";
import {
  vehicleReports,
  watchedSnapshotSelection
} from "../../telemetry/watch/fleet-reader.js";
import { allowPartial, partialAnswerOf } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { driverNames } from "../connection/driver-names.js";
import { serviceNow } from "../context/context.js";
import { notFound } from "../find/match.js";
import {
  hasMemberFlags,
  idsIn,
  memberSelection,
  membership
} from "../find/membership.js";
import { positionIn } from "../places/places.js";
import { noPlaces, readPlaces } from "../places/read-places.js";
import { vehicleKind } from "../records/vehicle.js";
import { isMarkedDeleted } from "../shape/deleted.js";
import { fieldsOfPlace } from "../views/place.js";
const ASSIGNMENTS_MAX_AGE_MS = 3e5;
const vehicleSelection = {
  id: true,
  name: true,
  licensePlate: true,
  deactivated: true,
  lastData: watchedSnapshotSelection
};
function statusRequest(context, client, needs, board) {
  const { vehicles: named = [] } = needs;
  const operation = needs.active && named.length === 0 ? "getActiveVehicles" : "getVehicles";
  const members = needs.members !== void 0 && hasMemberFlags(needs.members) ? needs.members : null;
  const identity = named.length === 0 ? {} : vehicleKind.identity;
  const select = joinTrees(joinTrees(vehicleSelection, identity), members === null ? {} : memberSelection);
  let ids = null;
  let isMember = members === null ? () => true : null;
  let drivers = null;
  const clocks = deviceClocks(context);
  let geofences = null;
  return async (options) => {
    const vehicles = partialAnswerOf(
      context,
      (partialOptions) => call(client, operation, {}, { ...partialOptions, ...options, select })
    );
    const people = needs.names ? driverNames(context, client, options) : /* @__PURE__ */ new Map();
    const knownPlaces = geofences !== null && !isOld(context, geofences) ? geofences.places : null;
    const [found, isWanted, names, places] = await Promise.all([
      vehicles,
      isMember ?? membership(context, client, members ?? {}, options),
      people,
      knownPlaces ?? (needs.places ? readPlaces(context, client, options) : noPlaces)
    ]);
    isMember = isWanted;
    if (knownPlaces === null) geofences = { readAt: serviceNow(context), places };
    const listed = found.value;
    if (named.length > 0) ids ??= idsOfNamed(context, found.value, named);
    const rows = listed.filter(
      (row) => isWanted(row) && (ids?.has(row.id ?? "") ?? true) && !(needs.active && row.deactivated === true)
    );
    const reports = vehicleReports(rows);
    const deactivated = new Set(rows.flatMap((row) => row.deactivated === true ? row.id ?? [] : []));
    for (const { vehicleId, name, snapshot } of reports) clocks.take(operation, vehicleId, snapshot, name ?? vehicleId);
    board.take({ vehicles: reports, isComplete: found.isWhole }, serviceNow(context));
    if (needs.assignments && (drivers === null || isOld(context, drivers)))
      drivers = await currentDrivers(context, client, reports, options);
    const byVehicle = drivers?.byVehicle ?? /* @__PURE__ */ new Map();
    return { vehicles: (now) => board.vehicles(now), names, drivers: byVehicle, places, deactivated };
  };
}
function idsOfNamed(run, listed, names) {
  const known = new Map(listed.map(({ id }) => [id?.toLowerCase(), id]));
  const ids = idsIn(run, vehicleKind, listed, names).map((id) => {
    const own = known.get(id.toLowerCase());
    if (own) return own;
    throw notFound(vehicleKind, `There is no vehicle with the id ${id}.`);
  });
  return new Set(ids);
}
function deviceClocks(run) {
  return new DeviceClocks(
    () => serviceNow(run),
    ({ message }) => run.report.warn(message)
  );
}
function isOld(run, { readAt }) {
  return serviceNow(run) - readAt >= ASSIGNMENTS_MAX_AGE_MS;
}
async function currentDrivers(context, client, vehicles, options) {
  const select = { vehicleId: true, driverId: true, startedAt: true, endedAt: true, isDeleted: true };
  const lists = await Promise.all(
    vehicles.map(
      ({ vehicleId }) => allowPartial(
        context,
        (partialOptions) => call(client, "getDriverAssignments", { input: { vehicleId } }, { ...partialOptions, ...options, select })
      )
    )
  );
  const readAt = serviceNow(context);
  const current = lists.flat().filter((row) => {
    const [start, end] = [timestampMs(row.startedAt), timestampMs(row.endedAt)];
    return !isMarkedDeleted(row) && start !== null && start <= readAt && (end === null || readAt < end);
  });
  const byVehicle = current.flatMap(
    ({ vehicleId, driverId }) => vehicleId && driverId ? [[vehicleId, driverId]] : []
  );
  return { readAt, byVehicle: new Map(byVehicle) };
}
function statusRows({ vehicles, names, drivers, places, deactivated }, now) {
  return vehicles(now).map((vehicle) => ({
    ...rowOf(vehicle, drivers.get(vehicle.vehicleId) ?? null, names),
    ...fieldsOfPlace(places.at(positionIn(vehicle.position))),
    deactivated: deactivated.has(vehicle.vehicleId)
  }));
}
function rowOf(vehicle, driverId, names) {
  const { vehicleId, name, licensePlate, status, timestamp, driverId: identifiedDriverId } = vehicle;
  const nameOf = (id) => id !== null && names.get(id) || null;
  return {
    id: vehicleId,
    name,
    licensePlate,
    status,
    timestamp,
    speed: vehicle.speedKmh,
    direction: vehicle.direction,
    latitude: vehicle.position?.latitude ?? null,
    longitude: vehicle.position?.longitude ?? null,
    engineStatus: vehicle.engineOn,
    driverId,
    driver: nameOf(driverId),
    identifiedDriverId,
    identifiedDriver: nameOf(identifiedDriverId)
  };
}
export {
  currentDrivers,
  deviceClocks,
  statusRequest,
  statusRows
};
