// The way back of every mutation of the contract.
import type { OperationName, OperationTypes } from '../../../generated/operation-table.js';

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
