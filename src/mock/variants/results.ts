// Variants of the arguments and results of root fields.
import { GraphQLError } from 'graphql';
import { dayMs } from '../core/durations.js';
import { badRequest, serviceError } from '../core/refusals.js';
import type { UserScope } from '../store/visibility.js';
import type { MockVariant } from './variant.js';

/** Refuses a too long period before the operation runs. */
export function checkPeriod({ longestPeriod }: MockVariant, rootField: string, args: object): void {
  if (longestPeriod === undefined || rootField !== 'getSnapshots') return;
  // graphql-js has coerced the arguments of getSnapshots.
  const { from, to } = args as { readonly from: number; readonly to: number };
  if (to - from <= longestPeriod.days * dayMs) return;
  const error = badRequest(`The period must not be longer than ${longestPeriod.days} days.`);
  if (longestPeriod.refusedAs === 'error') throw error;
  throw new GraphQLError(error.message, { extensions: { ...error.extensions, httpStatus: 400 } });
}

/** Returns the status that an error gives the whole response; null when it gives none. */
export function refusedStatus({ extensions }: GraphQLError): number | null {
  return typeof extensions.httpStatus === 'number' ? extensions.httpStatus : null;
}

interface Deleted {
  readonly isDeleted: true;
}

type Query = (scope: UserScope, args: Readonly<Record<string, unknown>>) => readonly Deleted[];

const marked = <T extends object>(rows: Iterable<T>): readonly (T & Deleted)[] =>
  Array.from(rows, (row) => ({ ...row, isDeleted: true }));

/** The deleted records that lists and look-ups still show. */
const deletedRecords: Readonly<Record<string, Query>> = {
  getGeofences: (scope) => marked(scope.fleet.geofences.deleted()).filter((row) => scope.canSeeGeofence(row)),
  getGeofenceById: (scope, { id }) =>
    marked(scope.fleet.geofences.deleted()).filter((row) => row.id === id && scope.canSeeGeofence(row)),
  getPeople: (scope) => marked(scope.fleet.people.deleted()).filter((row) => scope.canSeePerson(row)),
  getPersonById: (scope, { id }) =>
    marked(scope.fleet.people.deleted()).filter((row) => row.id === id && scope.canSeePerson(row)),
  getDriverAssignments(scope, { input }) {
    const { vehicleId, driverId } = input as { readonly vehicleId?: string | null; readonly driverId?: string | null };
    return marked(scope.fleet.assignments.deleted()).filter(
      (row) =>
        (vehicleId == null || row.vehicleId === vehicleId) &&
        (driverId == null || row.driverId === driverId) &&
        scope.vehicle(row.vehicleId) !== null,
    );
  },
};

export function isDeletedRecord(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'isDeleted' in record && record.isDeleted === true;
}

export function variedResult(
  variant: MockVariant,
  rootField: string,
  args: object,
  scope: UserScope,
  result: unknown,
): unknown {
  const read = args as Readonly<Record<string, unknown>>;
  const deleted = variant.deleted === 'kept' ? (deletedRecords[rootField]?.(scope, read) ?? []) : [];
  if (Array.isArray(result)) return deleted.length === 0 ? result : [...result, ...deleted];
  if (result !== null) return result;
  if (deleted[0] !== undefined) return deleted[0];
  if (variant.notFound !== 'error') return null;
  throw serviceError('NOT_FOUND', 'There is no record of this id.');
}
