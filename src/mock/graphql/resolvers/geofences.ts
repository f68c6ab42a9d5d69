// Geofences, and the event rules that refer to them.
import type { AddressInput, CreateGeofenceInput, GeofenceInput } from '../../../generated/contract-types.js';
import { geojsonProblem } from '../../core/geojson.js';
import { badRequest } from '../../core/refusals.js';
import { withChanges } from '../../store/store.js';
import type { AddressRecord, GeofenceRecord, RuleRecord } from '../../store/tables.js';
import type { RequestContext } from '../request-context.js';
import { isTrue, optionalText, pickDefined, requiredText } from './inputs.js';

interface IdArgs {
  readonly id: string;
}

const textFields = ['color', 'phone', 'email', 'description', 'type'] as const;

function requireGeoJson(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) throw badRequest('geojson is required.');
  const problem = geojsonProblem(value);
  if (problem !== null) throw badRequest(`geojson: ${problem}.`);
  // geojsonProblem has checked that it is an object.
  return value as Readonly<Record<string, unknown>>;
}

function addressOf(input: AddressInput | null): AddressRecord | null {
  if (input === null) return null;
  const blank = { country: null, countryCode: null, region: null, city: null, postalCode: null, address: null };
  return { ...blank, ...pickDefined(input, ['country', 'countryCode', 'region', 'city', 'postalCode', 'address']) };
}

function createGeofence(
  { geofenceInput: input }: { readonly geofenceInput: CreateGeofenceInput },
  { fleet, scope, store, now }: RequestContext,
): GeofenceRecord {
  const name = requiredText(input.name, 'name');
  const geojson = requireGeoJson(input.geojson);
  const groupId = scope.groupForNewRecords();
  return fleet.geofences.put({
    ...store.newRecord(fleet.id, now),
    color: null,
    phone: null,
    email: null,
    description: null,
    type: null,
    ...pickDefined(input, textFields),
    name,
    geojson,
    address: addressOf(input.address ?? null),
    displayNameAsAddress: isTrue(input.displayNameAsAddress),
    // Geofences without groups are visible to the whole fleet, so limited users' geofences get one.
    groupIds: groupId === null ? [] : [groupId],
  });
}

function updateGeofence(
  { geofenceId, geofenceInput: input }: { readonly geofenceId: string; readonly geofenceInput: GeofenceInput },
  { fleet, scope, now }: RequestContext,
): GeofenceRecord {
  const geofence = scope.requireEditableGeofence(geofenceId);
  const name = optionalText(input.name, 'name');
  return fleet.geofences.put(
    withChanges(geofence, now, {
      ...pickDefined(input, textFields),
      ...(name === undefined ? {} : { name }),
      ...(input.geojson === undefined ? {} : { geojson: requireGeoJson(input.geojson) }),
      ...(input.address === undefined ? {} : { address: addressOf(input.address) }),
      ...(input.displayNameAsAddress === undefined ? {} : { displayNameAsAddress: isTrue(input.displayNameAsAddress) }),
    }),
  );
}

function deleteGeofence({ geofenceId }: { readonly geofenceId: string }, { fleet, scope }: RequestContext): boolean {
  const geofence = scope.requireEditableGeofence(geofenceId);
  for (const rule of fleet.rules.values()) {
    if (!rule.geofenceIds.includes(geofence.id)) continue;
    fleet.rules.put({ ...rule, geofenceIds: rule.geofenceIds.filter((id) => id !== geofence.id) });
  }
  return fleet.geofences.delete(geofence.id);
}

export const rootResolvers = {
  getGeofences: (_args: object, { fleet, scope }: RequestContext) =>
    [...fleet.geofences.values()].filter((geofence) => scope.canSeeGeofence(geofence)),
  getGeofenceById: ({ id }: IdArgs, { scope }: RequestContext) => scope.geofence(id),
  createGeofence,
  updateGeofence,
  deleteGeofence,
  getRules: (_args: object, { fleet, scope }: RequestContext) =>
    [...fleet.rules.values()].filter((rule) => scope.canSeeRule(rule)),
  getRuleById({ id }: IdArgs, { fleet, scope }: RequestContext): RuleRecord | null {
    const rule = fleet.rules.get(id);
    return rule !== undefined && scope.canSeeRule(rule) ? rule : null;
  },
};

export const typeResolvers = {
  Rule: {
    // Hides vehicles, groups and geofences that the user cannot see.
    vehicles: (rule: RuleRecord, { scope }: RequestContext) => ({
      assignedVehicleIds: rule.assignedVehicleIds.filter((id) => scope.vehicle(id) !== null),
      assignedGroupIds: rule.assignedGroupIds.filter((id) => scope.canSeeGroupId(id)),
      assignedToAll: rule.assignedToAll,
    }),
    geofenceIds: (rule: RuleRecord, { scope }: RequestContext) =>
      rule.geofenceIds.filter((id) => scope.geofence(id) !== null),
  },
};
