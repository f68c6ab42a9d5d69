import { dayMs } from "../../core/durations.js";
import { badRequest, forbidden, notFound, refusal } from "../../core/refusals.js";
import { assign, endAll, unassign } from "../../store/assignments.js";
import { withChanges } from "../../store/store.js";
import { optionalText, requiredText } from "./inputs.js";
const maxStartAgeMs = 10 * dayMs;
function toInterval({ id, vehicleId, driverId, startedAt, endedAt }) {
  return { id, vehicleId, driverId, start: startedAt, end: endedAt };
}
function toIntervals(rows) {
  const found = /* @__PURE__ */ new Map();
  for (const row of rows) found.set(row.id, toInterval(row));
  return [...found.values()];
}
function applyChange(change, { scope, fleet, store, now }) {
  for (const { vehicleId } of [...change.removed, ...change.resized]) {
    if (fleet.vehicles.get(vehicleId) !== void 0 && scope.vehicle(vehicleId) === null) {
      throw forbidden("The driver is assigned to a vehicle you do not see in that period; you cannot change that.");
    }
  }
  for (const { id } of change.removed) fleet.assignments.delete(id);
  for (const { id, start, end } of change.resized) {
    const row = fleet.assignments.get(id);
    if (row !== void 0) fleet.assignments.put(withChanges(row, now, { startedAt: start, endedAt: end }));
  }
  for (const { vehicleId, driverId, start, end } of change.added) {
    fleet.assignments.put({ ...store.newRecord(fleet.id, now), vehicleId, driverId, startedAt: start, endedAt: end });
  }
}
function requireDriver(id, { scope }) {
  const person = scope.requirePerson(id);
  if (!person.isDriver) throw badRequest(`The person with id ${id} is not a driver.`);
  return person;
}
function assignDriver({ assignDriverInput: input }, context) {
  const { fleet, now } = context;
  const start = input.startTimestamp ?? now;
  const end = input.endTimestamp ?? null;
  if (start < now - maxStartAgeMs) throw badRequest("startTimestamp must not be more than 10 days in the past.");
  if (end !== null && end <= start) throw badRequest("endTimestamp must be after startTimestamp.");
  const vehicleId = context.scope.requireVehicle(input.vehicleId).id;
  const driverId = requireDriver(input.driverId, context).id;
  const existing = toIntervals([
    ...fleet.assignments.findBy("vehicle", vehicleId),
    ...fleet.assignments.findBy("driver", driverId)
  ]);
  const change = assign(existing, { vehicleId, driverId, start, end });
  if (change !== null) applyChange(change, context);
  return true;
}
function unassignDriver({ unassignDriverInput: input }, context) {
  const vehicle = context.scope.requireVehicle(input.vehicleId);
  const existing = toIntervals(context.fleet.assignments.findBy("vehicle", vehicle.id));
  const change = unassign(existing, input.timestamp ?? context.now, input.driverId ?? null);
  if (change === null) {
    const ofDriver = input.driverId == null ? "" : " of this driver";
    throw refusal("NOT_FOUND", `The vehicle has no assignment${ofDriver} at that time.`);
  }
  applyChange(change, context);
  return true;
}
function endAssignmentsAndTokens(driverId, context) {
  const { fleet, now } = context;
  applyChange(endAll(toIntervals(fleet.assignments.findBy("driver", driverId)), now), context);
  for (const token of fleet.tokens.findBy("driver", driverId)) fleet.tokens.delete(token.id);
}
function hasAssignmentsOrTokens(driverId, { fleet, now }) {
  const isAssigned = fleet.assignments.findBy("driver", driverId).some((row) => row.endedAt === null || row.endedAt > now);
  return isAssigned || fleet.tokens.findBy("driver", driverId).length > 0;
}
function getDriverAssignments({ input }, { fleet, scope }) {
  const vehicleId = input.vehicleId ?? null;
  const driverId = input.driverId ?? null;
  if (vehicleId === null && driverId === null) throw badRequest("The input must contain vehicleId or driverId.");
  const rows = vehicleId === null ? fleet.assignments.findBy("driver", driverId ?? "") : fleet.assignments.findBy("vehicle", vehicleId);
  return rows.filter((row) => (driverId === null || row.driverId === driverId) && scope.vehicle(row.vehicleId) !== null).sort((a, b) => a.startedAt - b.startedAt);
}
function requireToken(id, { fleet, scope }) {
  const token = fleet.tokens.get(id);
  if (token === void 0 || scope.person(token.driverId) === null) throw notFound("driver token", id);
  return token;
}
function requireUnusedValue(value, ownId, { fleet }) {
  if (fleet.tokens.findBy("value", value).some((token) => token.id !== ownId)) {
    throw badRequest("Another driver token of the fleet has this value.");
  }
  return value;
}
const rootResolvers = {
  assignDriver,
  unassignDriver,
  getDriverAssignments,
  createDriverToken({ createDriverTokenInput: input }, context) {
    const { fleet, store, now } = context;
    const value = requireUnusedValue(requiredText(input.value, "value"), null, context);
    const driver = requireDriver(requiredText(input.driverId, "driverId"), context);
    return fleet.tokens.put({ ...store.newRecord(fleet.id, now), value, driverId: driver.id, lastScanTimestamp: null });
  },
  updateDriverToken({
    tokenId,
    updateDriverTokenInput: input
  }, context) {
    const token = requireToken(tokenId, context);
    const value = optionalText(input.value, "value");
    const driverId = optionalText(input.driverId, "driverId");
    return context.fleet.tokens.put(
      withChanges(token, context.now, {
        ...value === void 0 ? {} : { value: requireUnusedValue(value, token.id, context) },
        ...driverId === void 0 ? {} : { driverId: requireDriver(driverId, context).id }
      })
    );
  },
  deleteDriverToken: ({ tokenId }, context) => context.fleet.tokens.delete(requireToken(tokenId, context).id)
};
export {
  endAssignmentsAndTokens,
  hasAssignmentsOrTokens,
  rootResolvers
};
