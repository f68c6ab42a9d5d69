import { vehicleView } from "../views/vehicle.js";
import { groupKind } from "./group.js";
import { labelKind, scheduleKind, vehicleTypeKind } from "./reference-data.js";
const vehicleKind = {
  noun: "vehicle",
  plural: "vehicles",
  placeholder: "vehicle",
  listCommand: "fleet vehicles list",
  list: "getVehicles",
  byId: "getVehicleById",
  texts: [
    { noun: "name", form: "name", members: ["name"] },
    { noun: "plate", form: "code", members: ["licensePlate"] },
    { noun: "VIN", form: "code", members: ["vin"] }
  ],
  identity: { id: true, name: true, licensePlate: true, vin: true, isDeleted: true },
  ignoresSeparators: true,
  view: vehicleView,
  type: "Vehicle",
  idVariable: "vehicleId",
  label: "vehicle",
  create: null,
  update: { operation: "updateVehicle", variable: "vehicleInput", type: "VehicleInput" },
  remove: null,
  groups: {
    operation: "changeVehicleGroups",
    variable: "changeVehicleGroupsInput",
    type: "ChangeVehicleGroupsInput"
  },
  field: "updateVehicleCustomField",
  relations: {
    vehicleTypeId: { holder: "vehicleType", kind: () => vehicleTypeKind },
    workScheduleId: { holder: "workSchedule", kind: () => scheduleKind },
    labelIds: { holder: "assignedLabels", list: true, kind: () => labelKind },
    groupIds: { holder: "assignedGroups", list: true, kind: () => groupKind }
  }
};
export {
  vehicleKind
};
