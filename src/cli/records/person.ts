// People: drivers and users of the service.
import type { Person } from '../../index.js';
import { personView } from '../views/person.js';
import type { EditableKind, ReadableKind, RecordKind } from './record-kind.js';
import { roleKind } from './reference-data.js';

export const personKind = {
  noun: 'person',
  plural: 'people',
  placeholder: 'person',
  listCommand: 'fleet people list',
  list: 'getPeople',
  byId: 'getPersonById',
  texts: [
    { noun: 'name', form: 'name', members: ['firstName', 'lastName'] },
    { noun: 'e-mail', form: 'code', members: ['email'] },
    { noun: 'employee id', form: 'code', members: ['employeeId'], isWhole: true, isFixed: true },
  ],
  identity: { id: true, firstName: true, lastName: true, email: true, employeeId: true, isDeleted: true },
  view: personView,
  type: 'Person',
  idVariable: 'personId',
  create: { operation: 'createPerson', variable: 'personInput', type: 'CreatePersonInput' },
  update: { operation: 'updatePerson', variable: 'personInput', type: 'UpdatePersonInput' },
  remove: 'deletePerson',
  field: 'updatePersonCustomField',
  roles: 'setPersonCustomRoles',
  relations: { roleIds: { holder: 'roles', list: true, kind: () => roleKind } },
} satisfies EditableKind<Person> & ReadableKind<Person>;

/** A person who is a driver, named by name, e-mail or employee id. */
export const driverKind = {
  ...personKind,
  noun: 'driver',
  plural: 'drivers',
  placeholder: 'driver',
  listCommand: 'fleet people list --drivers',
  identity: { ...personKind.identity, isDriver: true },
  // A driver is preferred to another person with the same name.
  isPreferred: (row) => Reflect.get(row, 'isDriver') === true,
} satisfies RecordKind<Person>;
