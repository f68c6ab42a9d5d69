import { ruleView } from "../views/rule.js";
import { scheduleView } from "../views/schedule.js";
const byName = [{ noun: "name", form: "name", members: ["name"] }];
function namedView(fields) {
  return {
    columns: [
      { title: "NAME", text: ({ name }) => name ?? "", min: 10, rank: 0 },
      { title: "ID", text: ({ id }) => id ?? "", namedBy: ({ name }) => name, rank: 0 }
    ],
    fields
  };
}
const labelKind = {
  noun: "label",
  plural: "labels",
  placeholder: "label",
  listCommand: "fleet labels list",
  list: "getLabels",
  byId: null,
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: namedView(["id", "name", "createdAt", "updatedAt"])
};
const roleKind = {
  noun: "role",
  plural: "roles",
  placeholder: "role",
  listCommand: "fleet roles list",
  list: "getRoles",
  byId: null,
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: namedView(["id", "name", "createdAt", "updatedAt"])
};
const vehicleTypeKind = {
  noun: "vehicle type",
  plural: "vehicle types",
  placeholder: "type",
  listCommand: "fleet vehicles types",
  list: "getVehicleTypes",
  byId: null,
  texts: byName,
  identity: { id: true, name: true },
  view: namedView(["id", "name"])
};
const ruleKind = {
  noun: "rule",
  plural: "rules",
  placeholder: "rule",
  listCommand: "fleet rules list",
  list: "getRules",
  byId: "getRuleById",
  texts: byName,
  identity: { id: true, name: true },
  view: ruleView
};
const scheduleKind = {
  noun: "work schedule",
  plural: "work schedules",
  placeholder: "schedule",
  listCommand: "fleet schedules list",
  list: "getWorkSchedules",
  byId: "getWorkScheduleById",
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: scheduleView
};
const metaSensorView = {
  columns: [
    { title: "SENSOR", text: ({ name }) => name ?? "", min: 10, rank: 0 },
    { title: "KEY", text: ({ key }) => typeof key === "number" ? String(key) : "", align: "right", rank: 0 }
  ],
  fields: ["name", "key"]
};
export {
  labelKind,
  metaSensorView,
  roleKind,
  ruleKind,
  scheduleKind,
  vehicleTypeKind
};
