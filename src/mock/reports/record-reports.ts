// Reports about records. They have no period and read only the newest snapshot of a vehicle.
import { column, type ReportDefinition, vehicleCells, vehicleColumns } from './report-definition.js';

const fieldValue = (fields: readonly { name: string; value: string | null }[], name: string): string | null =>
  fields.find((field) => field.name === name)?.value ?? null;

export const recordReports: readonly ReportDefinition[] = [
  {
    id: 'vehicles',
    title: 'Vehicles',
    description: 'The vehicles with their registration and newest readings.',
    parameters: ['vehicleIds'],
    maxVehicleDays: null,
    columns: [
      ...vehicleColumns,
      column('licensePlate', 'Licence plate'),
      column('vin', 'VIN'),
      column('make', 'Make'),
      column('model', 'Model'),
      column('year', 'Year'),
      column('deactivated', 'Deactivated'),
      column('odometer', 'Odometer', 'km'),
    ],
    rows: ({ vehicles, context }) =>
      vehicles.map((vehicle) => ({
        ...vehicleCells(vehicle),
        licensePlate: vehicle.licensePlate,
        vin: vehicle.vin,
        make: vehicle.make,
        model: vehicle.model,
        year: vehicle.year,
        deactivated: vehicle.deactivated,
        odometer: context.latestSnapshot(vehicle)?.odometerKm ?? null,
      })),
  },
  {
    id: 'people-list',
    title: 'People',
    description: 'The people with their roles and tokens.',
    parameters: [],
    maxVehicleDays: null,
    columns: [
      column('personId', 'Person id'),
      column('name', 'Name'),
      column('email', 'E-mail'),
      column('isDriver', 'Driver'),
      column('isUser', 'User'),
      column('roles', 'Roles'),
      column('tokens', 'Tokens'),
    ],
    rows: function* ({ context: { fleet, scope } }) {
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
  },
  {
    id: 'group-list',
    title: 'Groups',
    description: 'The groups with the number of their vehicles.',
    parameters: [],
    maxVehicleDays: null,
    columns: [
      column('groupId', 'Group id'),
      column('name', 'Name'),
      column('parent', 'Parent'),
      column('vehicles', 'Vehicles'),
    ],
    rows: function* ({ context: { fleet, scope } }) {
      for (const group of fleet.groups.values()) {
        if (!scope.canSeeGroup(group)) continue;
        const parent = group.parentId === null ? null : scope.group(group.parentId);
        const vehicles = fleet.vehicles.findBy('group', group.id).length;
        yield { groupId: group.id, name: group.name, parent: parent?.name ?? null, vehicles };
      }
    },
  },
  {
    id: 'maintenance-schedule',
    title: 'Maintenance schedule',
    description: 'When each vehicle is inspected next, and how far it is from its next service.',
    parameters: ['vehicleIds'],
    maxVehicleDays: null,
    columns: [
      ...vehicleColumns,
      column('nextInspection', 'Next inspection'),
      column('odometer', 'Odometer', 'km'),
      column('kmToService', 'Distance to service', 'km'),
    ],
    rows: ({ vehicles, context }) =>
      vehicles.map((vehicle) => {
        const newest = context.latestSnapshot(vehicle);
        const odometer = newest?.odometerKm ?? null;
        return {
          ...vehicleCells(vehicle),
          nextInspection: fieldValue(vehicle.customFields, 'Next inspection'),
          odometer,
          // As the vehicle reports it, or else a service every 30,000 km.
          kmToService: newest?.canBus?.canServiceDistance ?? (odometer === null ? null : 30_000 - (odometer % 30_000)),
        };
      }),
  },
];
