import { personView } from "../views/person.js";
import { roleKind } from "./reference-data.js";
const personKind = {
  noun: "person",
  plural: "people",
  placeholder: "person",
  listCommand: "fleet people list",
  list: "getPeople",
  byId: "getPersonById",
  texts: [
    { noun: "name", form: "name", members: ["firstName", "lastName"] },
    { noun: "e-mail", form: "code", members: ["email"] },
    { noun: "employee id", form: "code", members: ["employeeId"], isWhole: true, isFixed: true }
  ],
  identity: { id: true, firstName: true, lastName: true, email: true, employeeId: true, isDeleted: true },
  view: personView,
  type: "Person",
  idVariable: "personId",
  create: { operation: "createPerson", variable: "personInput", type: "CreatePersonInput" },
  update: { operation: "updatePerson", variable: "personInput", type: "UpdatePersonInput" },
  remove: "deletePerson",
  field: "updatePersonCustomField",
  roles: "setPersonCustomRoles",
  relations: { roleIds: { holder: "roles", list: true, kind: () => roleKind } }
};
const driverKind = {
  ...personKind,
  noun: "driver",
  plural: "drivers",
  placeholder: "driver",
  listCommand: "fleet people list --drivers",
  identity: { ...personKind.identity, isDriver: true },
  // A driver is preferred to another person with the same name.
  preferred: (row) => Reflect.get(row, "isDriver") === true
};
export {
  driverKind,
  personKind
};
