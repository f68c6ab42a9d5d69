// Who drives what: driver assignments and the tokens drivers identify with.

import type {
  CreateDriverTokenInput,
  GetDriverAssignmentsInput,
  UpdateDriverTokenInput,
} from '../../../generated/contract-types.js';
import { assign, type Change, endAll, type Interval, unassign } from '../../store/assignments.js';
import type { AssignmentRecord, DriverTokenRecord, PersonRecord } from '../../store/records.js';
import { changed } from '../../store/store.js';
import type { Context } from '../context.js';
import { badRequest, forbidden, notFound, refusal } from '../errors.js';
import { keptText, requiredText } from './inputs.js';

const longestPast = 10 * 86_400_000;

function intervalOf({ id, vehicleId, driverId, startedAt, endedAt }: AssignmentRecord): Interval {
  return { id, vehicleId, driverId, start: startedAt, end: endedAt };
}

function intervals(rows: Iterable<AssignmentRecord>): Interval[] {
  const found = new Map<string, Interval>();
  for (const row of rows) found.set(row.id, intervalOf(row));
  return [...found.values()];
}

/** Writes a change of assignments down, unless it reaches a vehicle that the user does not see. */
function apply(change: Change, { scope, fleet, store, now }: Context): void {
  for (const { vehicleId } of [...change.removed, ...change.resized]) {
    // A vehicle that is gone altogether is nobody's to protect.
    if (fleet.vehicles.get(vehicleId) !== undefined && scope.vehicle(vehicleId) === null) {
      throw forbidden('The driver is assigned to a vehicle you do not see in that period; you cannot change that.');
    }
  }
  for (const { id } of change.removed) fleet.assignments.delete(id);
  for (const { id, start, end } of change.resized) {
    const row = fleet.assignments.get(id);
    if (row !== undefined) fleet.assignments.put(changed(row, now, { startedAt: start, endedAt: end }));
  }
  for (const { vehicleId, driverId, start, end } of change.added) {
    fleet.assignments.put({ ...store.newRecord(fleet.id, now), vehicleId, driverId, startedAt: start, endedAt: end });
  }
}

/** The person, if they can be assigned to vehicles; NOT_FOUND otherwise. */
function theDriver(id: string, { scope }: Context): PersonRecord {
  const person = scope.thePerson(id);
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
  context: Context,
): true {
  const { fleet, now } = context;
  const start = input.startTimestamp ?? now;
  const end = input.endTimestamp ?? null;
  if (start < now - longestPast) throw badRequest('startTimestamp must not be more than 10 days in the past.');
  if (end !== null && end <= start) throw badRequest('endTimestamp must be after startTimestamp.');
  const vehicleId = context.scope.theVehicle(input.vehicleId).id;
  const driverId = theDriver(input.driverId, context).id;
  const existing = intervals([
    ...fleet.assignments.by('vehicle', vehicleId),
    ...fleet.assignments.by('driver', driverId),
  ]);
  const change = assign(existing, { vehicleId, driverId, start, end });
  if (change !== null) apply(change, context);
  return true;
}

interface UnassignDriver {
  readonly vehicleId: string;
  readonly driverId?: string | null;
  readonly timestamp?: number | null;
}

function unassignDriver(
  { unassignDriverInput: input }: { readonly unassignDriverInput: UnassignDriver },
  context: Context,
): true {
  const vehicle = context.scope.theVehicle(input.vehicleId);
  const existing = intervals(context.fleet.assignments.by('vehicle', vehicle.id));
  const change = unassign(existing, input.timestamp ?? context.now, input.driverId ?? null);
  if (change === null) {
    const whose = input.driverId == null ? '' : ' of this driver';
    throw refusal('NOT_FOUND', `The vehicle has no assignment${whose} at that time.`);
  }
  apply(change, context);
  return true;
}

/** Ends what a driver has, and takes their tokens: the person is about to go. */
export function releaseDriver(driverId: string, context: Context): void {
  const { fleet, now } = context;
  apply(endAll(intervals(fleet.assignments.by('driver', driverId)), now), context);
  for (const token of fleet.tokens.by('driver', driverId)) fleet.tokens.delete(token.id);
}

/** Whether the driver has an assignment now or ahead, or a token. */
export function isBusyDriver(driverId: string, { fleet, now }: Context): boolean {
  const busy = fleet.assignments.by('driver', driverId).some((row) => row.endedAt === null || row.endedAt > now);
  return busy || fleet.tokens.by('driver', driverId).length > 0;
}

function getDriverAssignments(
  { input }: { readonly input: GetDriverAssignmentsInput },
  { fleet, scope }: Context,
): AssignmentRecord[] {
  const vehicleId = input.vehicleId ?? null;
  const driverId = input.driverId ?? null;
  if (vehicleId === null && driverId === null) throw badRequest('The input must contain vehicleId or driverId.');
  const rows =
    vehicleId === null ? fleet.assignments.by('driver', driverId ?? '') : fleet.assignments.by('vehicle', vehicleId);
  return rows
    .filter((row) => (driverId === null || row.driverId === driverId) && scope.vehicle(row.vehicleId) !== null)
    .sort((a, b) => a.startedAt - b.startedAt);
}

function theToken(id: string, { fleet, scope }: Context): DriverTokenRecord {
  const token = fleet.tokens.get(id);
  if (token === undefined || scope.person(token.driverId) === null) throw notFound('driver token', id);
  return token;
}

/** Two drivers with one token could not be told apart. */
function freeValue(value: string, own: string | null, { fleet }: Context): string {
  if (fleet.tokens.by('value', value).some((token) => token.id !== own)) {
    throw badRequest('Another driver token of the fleet has this value.');
  }
  return value;
}

export const rootFields = {
  assignDriver,
  unassignDriver,
  getDriverAssignments,
  createDriverToken(
    { createDriverTokenInput: input }: { readonly createDriverTokenInput: CreateDriverTokenInput },
    context: Context,
  ): DriverTokenRecord {
    const { fleet, store, now } = context;
    const value = freeValue(requiredText(input.value, 'value'), null, context);
    const driver = theDriver(requiredText(input.driverId, 'driverId'), context);
    return fleet.tokens.put({ ...store.newRecord(fleet.id, now), value, driverId: driver.id, lastScanTimestamp: null });
  },
  updateDriverToken(
    {
      tokenId,
      updateDriverTokenInput: input,
    }: { readonly tokenId: string; readonly updateDriverTokenInput: UpdateDriverTokenInput },
    context: Context,
  ): DriverTokenRecord {
    const token = theToken(tokenId, context);
    const value = keptText(input.value, 'value');
    const driverId = keptText(input.driverId, 'driverId');
    return context.fleet.tokens.put(
      changed(token, context.now, {
        ...(value === undefined ? {} : { value: freeValue(value, token.id, context) }),
        ...(driverId === undefined ? {} : { driverId: theDriver(driverId, context).id }),
      }),
    );
  },
  deleteDriverToken: ({ tokenId }: { readonly tokenId: string }, context: Context): boolean =>
    context.fleet.tokens.delete(theToken(tokenId, context).id),
};
