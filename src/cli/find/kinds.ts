// The kinds of records that can be named on the command line.
import type {
  DriverToken,
  Geofence,
  Group,
  Label,
  Person,
  Role,
  Rule,
  Vehicle,
  VehicleType,
  WorkSchedule,
} from '../../index.js';
import { fullName } from '../views/humanize.js';
import type { Kind, KindById } from './kind.js';

export const vehicleKind: KindById<Vehicle> = {
  noun: 'vehicle',
  plural: 'vehicles',
  listCommand: 'fleet vehicles list',
  list: 'getVehicles',
  byId: 'getVehicleById',
  identity: { id: true, name: true, licensePlate: true, vin: true, isDeleted: true },
  id: ({ id }) => id,
  texts: ({ name, licensePlate, vin }) => [name, licensePlate, vin],
  choice: ({ id, name, licensePlate, vin }) => ({ id, name, licensePlate, vin }),
  // `123 ABC`, `123-ABC` and `123abc` are the same plate.
  normalize: (text) => text.toLowerCase().replace(/[\s-]+/g, ''),
};

export const vehicleTypeKind: Kind<VehicleType> = {
  noun: 'vehicle type',
  plural: 'vehicle types',
  listCommand: 'fleet vehicles types',
  list: 'getVehicleTypes',
  byId: null,
  identity: { id: true, name: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};

export const labelKind: Kind<Label> = {
  noun: 'label',
  plural: 'labels',
  listCommand: 'fleet labels list',
  list: 'getLabels',
  byId: null,
  identity: { id: true, name: true, isDeleted: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};

export const personKind: KindById<Person> = {
  noun: 'person',
  plural: 'people',
  listCommand: 'fleet people list',
  list: 'getPeople',
  byId: 'getPersonById',
  identity: { id: true, firstName: true, lastName: true, email: true, employeeId: true, isDeleted: true },
  id: ({ id }) => id,
  texts: (person) => [fullName(person), person.email],
  codes: ({ employeeId }) => [employeeId],
  choice: (person) => ({ id: person.id, name: fullName(person), email: person.email }),
};

/** A person who is a driver, named by name, e-mail or employee id. */
export const driverKind: Kind<Person> = {
  ...personKind,
  noun: 'driver',
  plural: 'drivers',
  listCommand: 'fleet people list --drivers',
  identity: { ...personKind.identity, isDriver: true },
  // A driver is preferred to another person with the same name.
  preferred: ({ isDriver }) => isDriver === true,
};

/** A token with its driver: the service lists tokens only with their drivers. */
export type TokenOfDriver = Pick<DriverToken, 'id' | 'value'> & {
  readonly driverId: string | null;
  readonly holder: string;
};

export const tokenKind: Kind<TokenOfDriver> = {
  noun: 'driver token',
  plural: 'driver tokens',
  listCommand: 'fleet people list --fields firstName,lastName,driverTokens.value',
  list: 'getPeople',
  // Takes the tokens from the list of people; `identity` selects their names and tokens.
  within: (people) =>
    (people as readonly Person[]).flatMap((person) =>
      (person.driverTokens ?? []).flatMap((token) =>
        token ? [{ ...token, driverId: person.id ?? null, holder: fullName(person) }] : [],
      ),
    ),
  byId: null,
  identity: { id: true, firstName: true, lastName: true, driverTokens: { id: true, value: true, isDeleted: true } },
  id: ({ id }) => id,
  texts: ({ value }) => [value],
  choice: ({ id, value, holder }) => ({ id, value, holder }),
};

export const groupKind: Kind<Group> = {
  noun: 'group',
  plural: 'groups',
  listCommand: 'fleet groups list',
  list: 'getGroups',
  byId: null,
  identity: { id: true, name: true, externalId: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  codes: ({ externalId }) => [externalId],
  choice: ({ id, name, externalId }) => ({ id, name, externalId }),
};

export const geofenceKind: KindById<Geofence> = {
  noun: 'geofence',
  plural: 'geofences',
  listCommand: 'fleet geofences list',
  list: 'getGeofences',
  byId: 'getGeofenceById',
  identity: { id: true, name: true, isDeleted: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};

export const roleKind: Kind<Role> = {
  noun: 'role',
  plural: 'roles',
  listCommand: 'fleet roles list',
  list: 'getRoles',
  byId: null,
  identity: { id: true, name: true, isDeleted: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};

export const ruleKind: KindById<Rule> = {
  noun: 'rule',
  plural: 'rules',
  listCommand: 'fleet rules list',
  list: 'getRules',
  byId: 'getRuleById',
  identity: { id: true, name: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};

export const scheduleKind: KindById<WorkSchedule> = {
  noun: 'work schedule',
  plural: 'work schedules',
  listCommand: 'fleet schedules list',
  list: 'getWorkSchedules',
  byId: 'getWorkScheduleById',
  identity: { id: true, name: true, isDeleted: true },
  id: ({ id }) => id,
  texts: ({ name }) => [name],
  choice: ({ id, name }) => ({ id, name }),
};
