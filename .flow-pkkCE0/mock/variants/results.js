import { GraphQLError } from "graphql";
import { dayMs } from "../core/durations.js";
import { badRequest, refusal } from "../core/refusals.js";
function checkPeriod({ longestPeriod }, rootField, args) {
  if (longestPeriod === void 0 || rootField !== "getSnapshots") return;
  const { from, to } = args;
  if (to - from <= longestPeriod.days * dayMs) return;
  const error = badRequest(`The period must not be longer than ${longestPeriod.days} days.`);
  if (longestPeriod.refusedAs === "error") throw error;
  throw new GraphQLError(error.message, { extensions: { ...error.extensions, httpStatus: 400 } });
}
function refusedStatus({ extensions }) {
  return typeof extensions.httpStatus === "number" ? extensions.httpStatus : null;
}
const marked = (rows) => Array.from(rows, (row) => ({ ...row, isDeleted: true }));
const deletedRecords = {
  getGeofences: (scope) => marked(scope.fleet.geofences.deleted()).filter((row) => scope.canSeeGeofence(row)),
  getGeofenceById: (scope, { id }) => marked(scope.fleet.geofences.deleted()).filter((row) => row.id === id && scope.canSeeGeofence(row)),
  getPeople: (scope) => marked(scope.fleet.people.deleted()).filter((row) => scope.canSeePerson(row)),
  getPersonById: (scope, { id }) => marked(scope.fleet.people.deleted()).filter((row) => row.id === id && scope.canSeePerson(row)),
  getDriverAssignments(scope, { input }) {
    const { vehicleId, driverId } = input;
    return marked(scope.fleet.assignments.deleted()).filter(
      (row) => (vehicleId == null || row.vehicleId === vehicleId) && (driverId == null || row.driverId === driverId) && scope.vehicle(row.vehicleId) !== null
    );
  }
};
function isDeletedRecord(record) {
  return typeof record === "object" && record !== null && "isDeleted" in record && record.isDeleted === true;
}
function variedResult(variant, rootField, args, scope, result) {
  const read = args;
  const deleted = variant.deleted === "kept" ? deletedRecords[rootField]?.(scope, read) ?? [] : [];
  if (Array.isArray(result)) return deleted.length === 0 ? result : [...result, ...deleted];
  if (result !== null) return result;
  if (deleted[0] !== void 0) return deleted[0];
  if (variant.notFound !== "error") return null;
  throw refusal("NOT_FOUND", "There is no record of this id.");
}
export {
  checkPeriod,
  isDeletedRecord,
  refusedStatus,
  variedResult
};
