// Report rows about records. They have no period and read only a vehicle's newest snapshot.
import type { VehicleRecord } from '../store/tables.js';
import type { Cells, ReportContext, ReportSource } from './run-report.js';

const vehicleRow = (vehicle: VehicleRecord, context: ReportContext): Cells => {
  const newest = context.latestSnapshot(vehicle);
  const odometer = newest?.odometerKm ?? null;
  const { id: vehicleId, name, licensePlate, vin, make, model, year, deactivated, customFields } = vehicle;
  return {
    vehicleId,
    vehicle: name,
    licensePlate,
    vin,
    make,
    model,
    year,
    deactivated,
    odometer,
    nextInspection: customFields.find((field) => field.name === 'Next inspection')?.value ?? null,
    // As reported by the vehicle, otherwise a service every 30,000 km.
    kmToService: newest?.canBus?.canServiceDistance ?? (odometer === null ? null : 30_000 - (odometer % 30_000)),
  };
};

export const eachVehicle: ReportSource = {
  inputs: ['vehicleIds'],
  maxVehicleDays: null,
  columns: ['vehicleId', 'vehicle'],
  rows: ({ vehicles, context }) => vehicles.map((vehicle) => vehicleRow(vehicle, context)),
};

export const eachPerson: ReportSource = {
  inputs: [],
  maxVehicleDays: null,
  columns: ['personId', 'name'],
  *rows({ context: { fleet, scope } }) {
    for (const person of fleet.people.values()) {
      if (!scope.canSeePerson(person)) continue;
      yield {
        personId: person.id,
        name: [person.firstName, person.lastName].filter((name) => name !== null).join(' '),
        email: person.email,
        isDriver: person.isDriver,
        isUser: person.isUser,
        roles: person.roleIds.map((id) => fleet.roles.get(id)?.name ?? id).join(', '),
        tokens: fleet.tokens.findBy('driver', person.id).length,
      };
    }
  },
};

export const eachGroup: ReportSource = {
  inputs: [],
  maxVehicleDays: null,
  columns: ['groupId', 'name'],
  *rows({ context: { fleet, scope } }) {
    for (const group of fleet.groups.values()) {
      if (!scope.canSeeGroup(group)) continue;
      const parent = group.parentId === null ? null : (scope.group(group.parentId)?.name ?? null);
      yield { groupId: group.id, name: group.name, parent, vehicles: fleet.vehicles.findBy('group', group.id).length };
    }
  },
};
