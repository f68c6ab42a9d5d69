// Geofences, and the event rules that watch them.
import type { AddressInput, CreateGeofenceInput, GeofenceInput } from '../../../generated/contract-types.js';
import type { AddressRecord, GeofenceRecord, RuleRecord } from '../../store/records.js';
import { changed } from '../../store/store.js';
import { geojsonProblem } from '../../world/geojson.js';
import type { Context } from '../context.js';
import { badRequest } from '../errors.js';
import { flag, given, keptText, requiredText } from './inputs.js';

interface ById {
  readonly id: string;
}

const texts = ['color', 'phone', 'email', 'description', 'type'] as const;

function soundShape(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) throw badRequest('geojson is required.');
  const problem = geojsonProblem(value);
  if (problem !== null) throw badRequest(`geojson: ${problem}.`);
  // geojsonProblem has found it to be an object.
  return value as Readonly<Record<string, unknown>>;
}

function addressOf(input: AddressInput | null): AddressRecord | null {
  if (input === null) return null;
  const blank = { country: null, countryCode: null, region: null, city: null, postalCode: null, address: null };
  return { ...blank, ...given(input, ['country', 'countryCode', 'region', 'city', 'postalCode', 'address']) };
}

function createGeofence(
  { geofenceInput: input }: { readonly geofenceInput: CreateGeofenceInput },
  { fleet, scope, store, now }: Context,
): GeofenceRecord {
  const name = requiredText(input.name, 'name');
  const geojson = soundShape(input.geojson);
  const home = scope.homeOfNew();
  return fleet.geofences.put({
    ...store.newRecord(fleet.id, now),
    color: null,
    phone: null,
    email: null,
    description: null,
    type: null,
    ...given(input, texts),
    name,
    geojson,
    address: addressOf(input.address ?? null),
    displayNameAsAddress: flag(input.displayNameAsAddress),
    // Without groups everybody would see it; a limited user's geofence is their group's.
    groupIds: home === null ? [] : [home],
  });
}

function updateGeofence(
  { geofenceId, geofenceInput: input }: { readonly geofenceId: string; readonly geofenceInput: GeofenceInput },
  { fleet, scope, now }: Context,
): GeofenceRecord {
  const geofence = scope.theGeofenceToChange(geofenceId);
  const name = keptText(input.name, 'name');
  return fleet.geofences.put(
    changed(geofence, now, {
      ...given(input, texts),
      ...(name === undefined ? {} : { name }),
      ...(input.geojson === undefined ? {} : { geojson: soundShape(input.geojson) }),
      ...(input.address === undefined ? {} : { address: addressOf(input.address) }),
      ...(input.displayNameAsAddress === undefined ? {} : { displayNameAsAddress: flag(input.displayNameAsAddress) }),
    }),
  );
}

function deleteGeofence({ geofenceId }: { readonly geofenceId: string }, { fleet, scope }: Context): boolean {
  const geofence = scope.theGeofenceToChange(geofenceId);
  for (const rule of fleet.rules.values()) {
    if (!rule.geofenceIds.includes(geofence.id)) continue;
    fleet.rules.put({ ...rule, geofenceIds: rule.geofenceIds.filter((id) => id !== geofence.id) });
  }
  return fleet.geofences.delete(geofence.id);
}

export const rootFields = {
  getGeofences: (_args: object, { fleet, scope }: Context) =>
    [...fleet.geofences.values()].filter((geofence) => scope.seesGeofence(geofence)),
  getGeofenceById: ({ id }: ById, { scope }: Context) => scope.geofence(id),
  createGeofence,
  updateGeofence,
  deleteGeofence,
  getRules: (_args: object, { fleet, scope }: Context) =>
    [...fleet.rules.values()].filter((rule) => scope.seesRule(rule)),
  getRuleById({ id }: ById, { fleet, scope }: Context): RuleRecord | null {
    const rule = fleet.rules.get(id);
    return rule !== undefined && scope.seesRule(rule) ? rule : null;
  },
};

export const typeFields = {
  Rule: {
    // A rule may name vehicles, groups and geofences that a limited user does not see; they are not told of.
    vehicles: (rule: RuleRecord, { scope }: Context) => ({
      assignedVehicleIds: rule.assignedVehicleIds.filter((id) => scope.vehicle(id) !== null),
      assignedGroupIds: rule.assignedGroupIds.filter((id) => scope.seesGroupId(id)),
      assignedToAll: rule.assignedToAll,
    }),
    geofenceIds: (rule: RuleRecord, { scope }: Context) => rule.geofenceIds.filter((id) => scope.geofence(id) !== null),
  },
};
