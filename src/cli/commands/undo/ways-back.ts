// The way back of every mutation of the contract, and of every kind of record that changes are about.
import type { OperationName, OperationTypes } from '../../../generated/operation-table.js';
import type { Target } from '../../apply/plan-records.js';
import type { Members, Subject } from '../../change/change-spec.js';
import { type Differences, memberDifferences } from '../../change/differences.js';
import { type Lookup, lookupOf } from '../../change/lookup.js';
import type { Request } from '../../change/plan.js';
import type { Kind } from '../../find/kind.js';
import { geofenceKind, groupKind, personKind, tokenKind, vehicleKind } from '../../find/kinds.js';
import { geofenceTarget } from '../../geofences/target.js';
import { geofenceSubject } from '../geofences/input.js';
import { groupTarget } from '../groups/apply.js';
import { personTarget } from '../people/apply.js';
import { personSubject } from '../people/reference.js';
import { vehicleSubject } from '../vehicles/reference.js';

export type MutationName = {
  [Name in OperationName]: OperationTypes[Name]['kind'] extends 'mutation' ? Name : never;
}[OperationName];

/** `by`: what undoes it. `none`: why nothing does. */
export type WayBack = { readonly by: readonly MutationName[] } | { readonly none: string };

/** A new operation of the contract needs its line: the compiler names it. */
export const waysBack: Readonly<Record<MutationName, WayBack>> = {
  assignDriver: { by: ['unassignDriver', 'assignDriver'] },
  unassignDriver: { by: ['assignDriver'] },
  changeGeofenceGroups: { by: ['changeGeofenceGroups'] },
  changeVehicleGroups: { by: ['changeVehicleGroups'] },
  changeVehiclesGroup: { by: ['changeVehicleGroups'] },
  createDriverToken: { by: ['deleteDriverToken'] },
  updateDriverToken: { by: ['updateDriverToken'] },
  deleteDriverToken: { none: 'the values of tokens are secrets, which the journal does not keep' },
  createGeofence: { by: ['deleteGeofence'] },
  updateGeofence: { by: ['updateGeofence'] },
  deleteGeofence: { by: ['createGeofence'] },
  createGroup: { by: ['deleteGroup'] },
  updateGroup: { by: ['updateGroup'] },
  deleteGroup: { by: ['createGroup', 'changeVehicleGroups', 'updateGroup'] },
  createPerson: { by: ['deletePerson'] },
  updatePerson: { by: ['updatePerson'] },
  deletePerson: { by: ['createPerson', 'setPersonCustomRoles', 'assignDriver'] },
  setPersonCustomRoles: { by: ['setPersonCustomRoles'] },
  updatePersonCustomField: { by: ['updatePersonCustomField'] },
  updateVehicle: { by: ['updateVehicle'] },
  updateVehicleCustomField: { by: ['updateVehicleCustomField'] },
};

/** How the records of a kind are read, and brought back into an earlier state. */
export interface KindOfRecord {
  readonly noun: string;
  readonly kind: Pick<Kind<never>, 'noun' | 'list' | 'identity'>;
  readonly lookup: Lookup;
  readonly subject: Subject;
  /** Its records, in the answer to the list operation. */
  readonly rowsIn: (
    listed: readonly unknown[],
  ) => readonly { readonly id: string; readonly name: string; readonly row: object }[];
  readonly differences: (wanted: Members, present: Members) => Differences;
  readonly set: (id: string, members: Members) => readonly Request[];
  /** Sets a custom field; the value null clears it. */
  readonly setField?: (id: string, name: string, value: unknown) => Request;
  /** Members that an operation of their own sets. */
  readonly setAlone?: Readonly<Record<string, (id: string, value: unknown) => Request>>;
  /** Null when the service has no such operation. */
  readonly remove: ((id: string) => Request) | null;
  /** `type`: the input. Null when the service has no such operation, or needs what the journal does not keep. */
  readonly create: { readonly type: string; readonly request: (members: Members) => Request } | null;
}

const request = (operation: OperationName, variables: Members, idempotent = true): Request => ({
  operation,
  variables,
  idempotent,
});

function kindOf<Row extends object>(
  kind: Kind<Row>,
  rest: Omit<KindOfRecord, 'noun' | 'kind' | 'lookup' | 'rowsIn'>,
): KindOfRecord {
  return {
    noun: kind.noun,
    kind,
    lookup: lookupOf(kind),
    rowsIn: (listed) =>
      // The Row of a kind is the row of its list operation.
      (kind.within ? kind.within(listed) : (listed as readonly Row[])).flatMap((row) => {
        const id = kind.id(row);
        return id ? [{ id, name: kind.texts(row).find((text) => text) ?? id, row }] : [];
      }),
    ...rest,
  };
}

/** A kind that `apply` makes too. */
function kindOfTarget<Row extends object>(
  kind: Kind<Row>,
  target: Target<Row>,
  subject: Subject,
  type: string,
  own: Pick<KindOfRecord, 'setField' | 'setAlone'> = {},
): KindOfRecord {
  const nothingCreated = new Map<string, string>();
  const { create, remove } = target;
  return kindOf(kind, {
    subject,
    // A target compares the members that it and its row have in common.
    differences: (wanted, present) => (target.differences ?? memberDifferences)(wanted, present as Row),
    set: (id, members) => [target.change(id, members, nothingCreated, [])].flat(),
    remove,
    create: create && { type, request: (members) => create(members, nothingCreated) },
    ...own,
  });
}

const kinds: readonly KindOfRecord[] = [
  kindOf(vehicleKind, {
    subject: vehicleSubject,
    differences: memberDifferences,
    set: (vehicleId, vehicleInput) => [request('updateVehicle', { vehicleId, vehicleInput })],
    setField: (vehicleId, name, value) => request('updateVehicleCustomField', { vehicleId, field: { name, value } }),
    remove: null,
    create: null,
  }),
  kindOfTarget(personKind, personTarget, personSubject, 'CreatePersonInput', {
    setField: (personId, name, value) => request('updatePersonCustomField', { personId, field: { name, value } }),
    setAlone: { roleIds: (personId, roleIds) => request('setPersonCustomRoles', { personId, roleIds: roleIds ?? [] }) },
  }),
  kindOfTarget(geofenceKind, geofenceTarget, geofenceSubject('update'), 'CreateGeofenceInput'),
  kindOfTarget(groupKind, groupTarget, { kind: groupKind.noun, action: 'update', type: 'Group' }, 'CreateGroupInput'),
  kindOf(tokenKind, {
    subject: { kind: tokenKind.noun, action: 'update', type: 'DriverToken' },
    differences: memberDifferences,
    set: (tokenId, updateDriverTokenInput) => [request('updateDriverToken', { tokenId, updateDriverTokenInput })],
    remove: (tokenId) => request('deleteDriverToken', { tokenId }, false),
    create: null,
  }),
];

/** Null for a record of another kind, such as what `fleet api` changes. */
export function kindOfRecord(noun: string): KindOfRecord | null {
  return kinds.find((one) => one.noun === noun) ?? null;
}
