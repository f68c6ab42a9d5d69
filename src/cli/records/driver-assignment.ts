// Driver assignments: the driver of a vehicle during a period, listed by vehicle or driver.
import { fleetAssignmentView } from '../views/assignment.js';
import { driverKind } from './person.js';
import type { EditableKind, WritingOperation } from './record-kind.js';
import { vehicleKind } from './vehicle.js';

export const assignmentKind = {
  noun: 'driver assignment',
  plural: 'driver assignments',
  type: 'DriverAssignment',
  view: fleetAssignmentView,
  create: { operation: 'assignDriver', variable: 'assignDriverInput', type: 'AssignDriverInput' },
  relations: {
    vehicleId: { holder: null, label: 'vehicle', kind: () => vehicleKind },
    driverId: { holder: null, label: 'driver', kind: () => driverKind },
  },
} satisfies Pick<EditableKind<never>, 'noun' | 'plural' | 'type' | 'view' | 'relations'> & {
  readonly create: WritingOperation;
};
