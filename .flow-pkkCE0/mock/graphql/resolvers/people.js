import { badRequest } from "../../core/refusals.js";
import { withChanges } from "../../store/store.js";
import { endAssignmentsAndTokens, hasAssignmentsOrTokens } from "./drivers.js";
import { isTrue, pickDefined, requireIds, setCustomField } from "./inputs.js";
const textFields = [
  "firstName",
  "lastName",
  "email",
  "phone",
  "licenseNumber",
  "licenseIssuedIn",
  "employeeId"
];
function checkPerson(person) {
  const updated = [person.firstName, person.lastName].some((name) => name !== null && name.trim() !== "");
  if (!updated) throw badRequest("firstName or lastName is required.");
  if (person.email !== null && !/^[^\s@]+@[^\s@]+$/.test(person.email))
    throw badRequest("email is not an e-mail address.");
}
function customFields(fields, changes, { fleet, strict }) {
  if (changes === null) return fields.map(({ name }) => ({ name, value: null }));
  return (changes ?? []).reduce(
    (all, change) => setCustomField(all, fleet.personFieldNames, change, strict).fields,
    fields
  );
}
function createPerson({ personInput: input }, context) {
  const { fleet, scope, store, now } = context;
  const person = {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    licenseNumber: null,
    licenseIssuedIn: null,
    employeeId: null,
    ...pickDefined(input, textFields)
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
    groupId: scope.groupForNewRecords()
  });
}
function updatePerson({ personId, personInput: input }, context) {
  const person = context.scope.requirePerson(personId);
  const updated = { ...person, ...pickDefined(input, textFields) };
  checkPerson(updated);
  const isDriver = input.isDriver === void 0 ? person.isDriver : isTrue(input.isDriver);
  if (person.isDriver && !isDriver && hasAssignmentsOrTokens(person.id, context)) {
    throw badRequest("The person has driver assignments or tokens: end and delete them before taking isDriver away.");
  }
  const isUser = input.isUser === void 0 ? person.isUser : isTrue(input.isUser);
  return context.fleet.people.put(
    withChanges(person, context.now, {
      ...pickDefined(input, textFields),
      isDriver,
      isUser,
      globalUserId: isUser ? person.globalUserId ?? person.id : null,
      customFields: customFields(person.customFields, input.customFields, context)
    })
  );
}
const rootResolvers = {
  getPeople: (_args, { fleet, scope }) => [...fleet.people.values()].filter((person) => scope.canSeePerson(person)),
  getPersonById: ({ id }, { scope }) => scope.person(id),
  getPersonCustomFields: ({ personId }, { scope }) => scope.person(personId)?.customFields ?? null,
  getRoles: (_args, { fleet }) => [...fleet.roles.values()],
  createPerson,
  updatePerson,
  deletePerson({ personId }, context) {
    const person = context.scope.requirePerson(personId);
    if (person.globalUserId === context.scope.user.userId) throw badRequest("Nobody can delete themselves.");
    endAssignmentsAndTokens(person.id, context);
    return context.fleet.people.delete(person.id);
  },
  setPersonCustomRoles({ personId, roleIds }, { scope, fleet, now }) {
    const person = scope.requirePerson(personId);
    const roles = requireIds(roleIds, "role", (id) => fleet.roles.get(id) !== void 0);
    fleet.people.put(withChanges(person, now, { roleIds: roles }));
    return true;
  },
  updatePersonCustomField({ personId, field: change }, { scope, fleet, now, strict }) {
    const person = scope.requirePerson(personId);
    const { fields, field } = setCustomField(person.customFields, fleet.personFieldNames, change, strict);
    fleet.people.put(withChanges(person, now, { customFields: fields }));
    return field;
  }
};
const typeResolvers = {
  Person: {
    driverTokens: (person, { fleet }) => fleet.tokens.findBy("driver", person.id),
    roles: (person, { fleet }) => person.roleIds.flatMap((id) => fleet.roles.get(id) ?? [])
  }
};
export {
  rootResolvers,
  typeResolvers
};
