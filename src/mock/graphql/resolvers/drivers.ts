// Driver assignments, and the tokens that identify drivers.

import type {
  CreateDriverTokenInput,
  GetDriverAssignmentsInput,
  UpdateDriverTokenInput,
} from '../../../generated/contract-types.js';
import { dayMs } from '../../core/durations.js';
import { badRequest, forbidden, notFoundError, serviceError } from '../../core/refusals.js';
import { type AssignmentChange, type AssignmentInterval, assign, endAll, unassign } from '../../store/assignments.js';
import { withChanges } from '../../store/store.js';
import type { AssignmentRecord, DriverTokenRecord, PersonRecord } from '../../store/tables.js';
import type { RequestContext } from '../request-context.js';
import { optionalText, requiredText } from './inputs.js';

const maxStartAgeMs = 10 * dayMs;

function toInterval({ id, vehicleId, driverId, startedAt, endedAt }: AssignmentRecord): AssignmentInterval {
  return { id, vehicleId, driverId, start: startedAt, end: endedAt };
}

function toIntervals(rows: Iterable<AssignmentRecord>): AssignmentInterval[] {
  const found = new Map<string, AssignmentInterval>();
  for (const row of rows) found.set(row.id, toInterval(row));
  return [...found.values()];
}

/** Applies a change. Throws FORBIDDEN when it affects a vehicle that the user cannot see. */
function applyChange(change: AssignmentChange, { scope, fleet, store, now }: RequestContext): void {
  for (const { vehicleId } of [...change.removed, ...change.resized]) {
    if (fleet.vehicles.get(vehicleId) !== undefined && scope.vehicle(vehicleId) === null) {
      throw forbidden('The driver is assigned to a vehicle you do not see in that period; you cannot change that.');
    }
  }
  for (const { id } of change.removed) fleet.assignments.delete(id);
  for (const { id, start, end } of change.resized) {
    const row = fleet.assignments.get(id);
    if (row !== undefined) fleet.assignments.put(withChanges(row, now, { startedAt: start, endedAt: end }));
  }
  for (const { vehicleId, driverId, start, end } of change.added) {
    fleet.assignments.put({ ...store.newRecord(fleet.id, now), vehicleId, driverId, startedAt: start, endedAt: end });
  }
}

/** Throws NOT_FOUND for no visible person, BAD_REQUEST for a person who is not a driver. */
function requireDriver(id: string, { scope }: RequestContext): PersonRecord {
  const person = scope.requirePerson(id);
  if (!person.isDriver) throw badRequest(`The person with id ${id} is not a driver.`);
  return person;
}

interface AssignDriver {
  readonly vehicleId: string;
  readonly driverId: string;
  readonly startTimestamp?: number | null;
  readonly endTimestamp?: number | null;
}

function assignDriver(
  { assignDriverInput: input }: { readonly assignDriverInput: AssignDriver },
  context: RequestContext,
): true {
  const { fleet, now } = context;
  const start = input.startTimestamp ?? now;
  const end = input.endTimestamp ?? null;
  if (start < now - maxStartAgeMs) throw badRequest('startTimestamp must not be more than 10 days in the past.');
  if (end !== null && end <= start) throw badRequest('endTimestamp must be after startTimestamp.');
  const vehicleId = context.scope.requireVehicle(input.vehicleId).id;
  const driverId = requireDriver(input.driverId, context).id;
  const existing = toIntervals([
    ...fleet.assignments.findBy('vehicle', vehicleId),
    ...fleet.assignments.findBy('driver', driverId),
  ]);
  const change = assign(existing, { vehicleId, driverId, start, end });
  if (change !== null) applyChange(change, context);
  return true;
}

interface UnassignDriver {
  readonly vehicleId: string;
  readonly driverId?: string | null;
  readonly timestamp?: number | null;
}

function unassignDriver(
  { unassignDriverInput: input }: { readonly unassignDriverInput: UnassignDriver },
  context: RequestContext,
): true {
  const vehicle = context.scope.requireVehicle(input.vehicleId);
  const existing = toIntervals(context.fleet.assignments.findBy('vehicle', vehicle.id));
  const change = unassign(existing, input.timestamp ?? context.now, input.driverId ?? null);
  if (change === null) {
    const ofDriver = input.driverId == null ? '' : ' of this driver';
    throw serviceError('NOT_FOUND', `The vehicle has no assignment${ofDriver} at that time.`);
  }
  applyChange(change, context);
  return true;
}

export function endAssignmentsAndTokens(driverId: string, context: RequestContext): void {
  const { fleet, now } = context;
  applyChange(endAll(toIntervals(fleet.assignments.findBy('driver', driverId)), now), context);
  for (const token of fleet.tokens.findBy('driver', driverId)) fleet.tokens.delete(token.id);
}

export function hasAssignmentsOrTokens(driverId: string, { fleet, now }: RequestContext): boolean {
  const isAssigned = fleet.assignments
    .findBy('driver', driverId)
    .some((row) => row.endedAt === null || row.endedAt > now);
  return isAssigned || fleet.tokens.findBy('driver', driverId).length > 0;
}

function getDriverAssignments(
  { input }: { readonly input: GetDriverAssignmentsInput },
  { fleet, scope }: RequestContext,
): AssignmentRecord[] {
  const vehicleId = input.vehicleId ?? null;
  const driverId = input.driverId ?? null;
  if (vehicleId === null && driverId === null) throw badRequest('The input must contain vehicleId or driverId.');
  const rows =
    vehicleId === null
      ? fleet.assignments.findBy('driver', driverId ?? '')
      : fleet.assignments.findBy('vehicle', vehicleId);
  return rows
    .filter((row) => (driverId === null || row.driverId === driverId) && scope.vehicle(row.vehicleId) !== null)
    .sort((a, b) => a.startedAt - b.startedAt);
}

function requireToken(id: string, { fleet, scope }: RequestContext): DriverTokenRecord {
  const token = fleet.tokens.get(id);
  if (token === undefined || scope.person(token.driverId) === null) throw notFoundError('driver token', id);
  return token;
}

function requireUnusedValue(value: string, ownId: string | null, { fleet }: RequestContext): string {
  if (fleet.tokens.findBy('value', value).some((token) => token.id !== ownId)) {
    throw badRequest('Another driver token of the fleet has this value.');
  }
  return value;
}

export const rootResolvers = {
  assignDriver,
  unassignDriver,
  getDriverAssignments,
  createDriverToken(
    { createDriverTokenInput: input }: { readonly createDriverTokenInput: CreateDriverTokenInput },
    context: RequestContext,
  ): DriverTokenRecord {
    const { fleet, store, now } = context;
    const value = requireUnusedValue(requiredText(input.value, 'value'), null, context);
    const driver = requireDriver(requiredText(input.driverId, 'driverId'), context);
    return fleet.tokens.put({ ...store.newRecord(fleet.id, now), value, driverId: driver.id, lastScanTimestamp: null });
  },
  updateDriverToken(
    {
      tokenId,
      updateDriverTokenInput: input,
    }: { readonly tokenId: string; readonly updateDriverTokenInput: UpdateDriverTokenInput },
    context: RequestContext,
  ): DriverTokenRecord {
    const token = requireToken(tokenId, context);
    const value = optionalText(input.value, 'value');
    const driverId = optionalText(input.driverId, 'driverId');
    return context.fleet.tokens.put(
      withChanges(token, context.now, {
        ...(value === undefined ? {} : { value: requireUnusedValue(value, token.id, context) }),
        ...(driverId === undefined ? {} : { driverId: requireDriver(driverId, context).id }),
      }),
    );
  },
  deleteDriverToken: ({ tokenId }: { readonly tokenId: string }, context: RequestContext): boolean =>
    context.fleet.tokens.delete(requireToken(tokenId, context).id),
};
