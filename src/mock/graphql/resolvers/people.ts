// People: drivers, users, or both; their roles and custom fields.
import type { CreatePersonInput, CustomFieldInput, UpdatePersonInput } from '../../../generated/contract-types.js';
import type { CustomFieldRecord, DriverTokenRecord, PersonRecord, RoleRecord } from '../../store/records.js';
import { changed } from '../../store/store.js';
import type { Context } from '../context.js';
import { badRequest } from '../errors.js';
import { isBusyDriver, releaseDriver } from './drivers.js';
import { flag, given, knownIds, withCustomField } from './inputs.js';

interface OfPerson {
  readonly personId: string;
}

const texts = ['firstName', 'lastName', 'email', 'phone', 'licenseNumber', 'licenseIssuedIn', 'employeeId'] as const;

/** Refuses a person nobody could name, or write to. */
function checkPerson(person: Pick<PersonRecord, 'firstName' | 'lastName' | 'email'>): void {
  const named = [person.firstName, person.lastName].some((name) => name !== null && name.trim() !== '');
  if (!named) throw badRequest('firstName or lastName is required.');
  if (person.email !== null && !/^[^\s@]+@[^\s@]+$/.test(person.email))
    throw badRequest('email is not an e-mail address.');
}

function customFields(
  fields: readonly CustomFieldRecord[],
  changes: readonly CustomFieldInput[] | null | undefined,
  { fleet, strict }: Context,
): readonly CustomFieldRecord[] {
  if (changes === null) return fields.map(({ name }) => ({ name, value: null }));
  return (changes ?? []).reduce(
    (all, change) => withCustomField(all, fleet.personFieldNames, change, strict).fields,
    fields,
  );
}

function createPerson(
  { personInput: input }: { readonly personInput: CreatePersonInput },
  context: Context,
): PersonRecord {
  const { fleet, scope, store, now } = context;
  const person = {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    licenseNumber: null,
    licenseIssuedIn: null,
    employeeId: null,
    ...given(input, texts),
  };
  checkPerson(person);
  const blank = fleet.personFieldNames.map((name) => ({ name, value: null }));
  const fields = customFields(blank, input.customFields, context);
  const created = store.newRecord(fleet.id, now);
  return fleet.people.put({
    ...created,
    ...person,
    isUser: flag(input.isUser),
    isDriver: flag(input.isDriver),
    globalUserId: flag(input.isUser) ? created.id : null,
    customFields: fields,
    roleIds: [],
    groupId: scope.homeOfNew(),
  });
}

function updatePerson(
  { personId, personInput: input }: OfPerson & { readonly personInput: UpdatePersonInput },
  context: Context,
): PersonRecord {
  const person = context.scope.thePerson(personId);
  const named = { ...person, ...given(input, texts) };
  checkPerson(named);
  const isDriver = input.isDriver === undefined ? person.isDriver : flag(input.isDriver);
  if (person.isDriver && !isDriver && isBusyDriver(person.id, context)) {
    throw badRequest('The person has driver assignments or tokens: end and delete them before taking isDriver away.');
  }
  const isUser = input.isUser === undefined ? person.isUser : flag(input.isUser);
  return context.fleet.people.put(
    changed(person, context.now, {
      ...given(input, texts),
      isDriver,
      isUser,
      globalUserId: isUser ? (person.globalUserId ?? person.id) : null,
      customFields: customFields(person.customFields, input.customFields, context),
    }),
  );
}

export const rootFields = {
  getPeople: (_args: object, { fleet, scope }: Context) =>
    [...fleet.people.values()].filter((person) => scope.seesPerson(person)),
  getPersonById: ({ id }: { readonly id: string }, { scope }: Context) => scope.person(id),
  getPersonCustomFields: ({ personId }: OfPerson, { scope }: Context) => scope.person(personId)?.customFields ?? null,
  getRoles: (_args: object, { fleet }: Context) => [...fleet.roles.values()],
  createPerson,
  updatePerson,
  deletePerson({ personId }: OfPerson, context: Context): boolean {
    const person = context.scope.thePerson(personId);
    if (person.globalUserId === context.scope.user.userId) throw badRequest('Nobody can delete themselves.');
    releaseDriver(person.id, context);
    return context.fleet.people.delete(person.id);
  },
  setPersonCustomRoles(
    { personId, roleIds }: OfPerson & { readonly roleIds: readonly (string | null)[] },
    { scope, fleet, now }: Context,
  ): boolean {
    const person = scope.thePerson(personId);
    const roles = knownIds(roleIds, 'role', (id) => fleet.roles.get(id) !== undefined);
    fleet.people.put(changed(person, now, { roleIds: roles }));
    return true;
  },
  updatePersonCustomField(
    { personId, field: change }: OfPerson & { readonly field: CustomFieldInput },
    { scope, fleet, now, strict }: Context,
  ): CustomFieldRecord {
    const person = scope.thePerson(personId);
    const { fields, field } = withCustomField(person.customFields, fleet.personFieldNames, change, strict);
    fleet.people.put(changed(person, now, { customFields: fields }));
    return field;
  },
};

export const typeFields = {
  Person: {
    driverTokens: (person: PersonRecord, { fleet }: Context): DriverTokenRecord[] =>
      fleet.tokens.by('driver', person.id),
    roles: (person: PersonRecord, { fleet }: Context): RoleRecord[] =>
      person.roleIds.flatMap((id) => fleet.roles.get(id) ?? []),
  },
};
