// People (drivers, users, or both) with their roles and custom fields.
import type { CreatePersonInput, CustomFieldInput, UpdatePersonInput } from '../../../generated/contract-types.js';
import { badRequest } from '../../core/refusals.js';
import { withChanges } from '../../store/store.js';
import type { CustomFieldRecord, DriverTokenRecord, PersonRecord, RoleRecord } from '../../store/tables.js';
import type { RequestContext } from '../request-context.js';
import { endAssignmentsAndTokens, hasAssignmentsOrTokens } from './drivers.js';
import { isTrue, pickDefined, requireRecords, setCustomField } from './inputs.js';

interface PersonArgs {
  readonly personId: string;
}

const textFields = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'licenseNumber',
  'licenseIssuedIn',
  'employeeId',
] as const;

function checkPerson(person: Pick<PersonRecord, 'firstName' | 'lastName' | 'email'>): void {
  const updated = [person.firstName, person.lastName].some((name) => name !== null && name.trim() !== '');
  if (!updated) throw badRequest('firstName or lastName is required.');
  if (person.email !== null && !/^[^\s@]+@[^\s@]+$/.test(person.email))
    throw badRequest('email is not an e-mail address.');
}

function customFields(
  fields: readonly CustomFieldRecord[],
  changes: readonly CustomFieldInput[] | null | undefined,
  { fleet, strict }: RequestContext,
): readonly CustomFieldRecord[] {
  if (changes === null) return fields.map(({ name }) => ({ name, value: null }));
  return (changes ?? []).reduce(
    (all, change) => setCustomField(all, fleet.personFieldNames, change, strict).fields,
    fields,
  );
}

function createPerson(
  { personInput: input }: { readonly personInput: CreatePersonInput },
  context: RequestContext,
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
    ...pickDefined(input, textFields),
  };
  checkPerson(person);
  const blank = fleet.personFieldNames.map((name) => ({ name, value: null }));
  const fields = customFields(blank, input.customFields, context);
  const record = store.newRecord(fleet.id, now);
  return fleet.people.put({
    ...record,
    ...person,
    isUser: isTrue(input.isUser),
    isDriver: isTrue(input.isDriver),
    globalUserId: isTrue(input.isUser) ? record.id : null,
    customFields: fields,
    roleIds: [],
    groupId: scope.groupForNewRecords(),
  });
}

function updatePerson(
  { personId, personInput: input }: PersonArgs & { readonly personInput: UpdatePersonInput },
  context: RequestContext,
): PersonRecord {
  const person = context.scope.requirePerson(personId);
  const updated = { ...person, ...pickDefined(input, textFields) };
  checkPerson(updated);
  const isDriver = input.isDriver === undefined ? person.isDriver : isTrue(input.isDriver);
  if (person.isDriver && !isDriver && hasAssignmentsOrTokens(person.id, context)) {
    throw badRequest('The person has driver assignments or tokens: end and delete them before taking isDriver away.');
  }
  const isUser = input.isUser === undefined ? person.isUser : isTrue(input.isUser);
  return context.fleet.people.put(
    withChanges(person, context.now, {
      ...pickDefined(input, textFields),
      isDriver,
      isUser,
      globalUserId: isUser ? (person.globalUserId ?? person.id) : null,
      customFields: customFields(person.customFields, input.customFields, context),
    }),
  );
}

export const rootResolvers = {
  getPeople: (_args: object, { fleet, scope }: RequestContext) =>
    [...fleet.people.values()].filter((person) => scope.canSeePerson(person)),
  getPersonById: ({ id }: { readonly id: string }, { scope }: RequestContext) => scope.person(id),
  getPersonCustomFields: ({ personId }: PersonArgs, { scope }: RequestContext) =>
    scope.person(personId)?.customFields ?? null,
  getRoles: (_args: object, { fleet }: RequestContext) => [...fleet.roles.values()],
  createPerson,
  updatePerson,
  deletePerson({ personId }: PersonArgs, context: RequestContext): boolean {
    const person = context.scope.requirePerson(personId);
    if (person.globalUserId === context.scope.user.userId) throw badRequest('Nobody can delete themselves.');
    endAssignmentsAndTokens(person.id, context);
    return context.fleet.people.delete(person.id);
  },
  setPersonCustomRoles(
    { personId, roleIds }: PersonArgs & { readonly roleIds: readonly (string | null)[] },
    { scope, fleet, now }: RequestContext,
  ): boolean {
    const person = scope.requirePerson(personId);
    const roles = requireRecords(roleIds, 'role', (id) => fleet.roles.get(id) !== undefined);
    fleet.people.put(withChanges(person, now, { roleIds: roles }));
    return true;
  },
  updatePersonCustomField(
    { personId, field: change }: PersonArgs & { readonly field: CustomFieldInput },
    { scope, fleet, now, strict }: RequestContext,
  ): CustomFieldRecord {
    const person = scope.requirePerson(personId);
    const { fields, field } = setCustomField(person.customFields, fleet.personFieldNames, change, strict);
    fleet.people.put(withChanges(person, now, { customFields: fields }));
    return field;
  },
};

export const typeResolvers = {
  Person: {
    driverTokens: (person: PersonRecord, { fleet }: RequestContext): DriverTokenRecord[] =>
      fleet.tokens.findBy('driver', person.id),
    roles: (person: PersonRecord, { fleet }: RequestContext): RoleRecord[] =>
      person.roleIds.flatMap((id) => fleet.roles.get(id) ?? []),
  },
};
