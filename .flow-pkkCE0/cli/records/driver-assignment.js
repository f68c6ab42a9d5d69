import { fleetAssignmentView } from "../views/assignment.js";
import { driverKind } from "./person.js";
import { vehicleKind } from "./vehicle.js";
const assignmentKind = {
  noun: "driver assignment",
  plural: "driver assignments",
  type: "DriverAssignment",
  view: fleetAssignmentView,
  create: { operation: "assignDriver", variable: "assignDriverInput", type: "AssignDriverInput" },
  relations: {
    vehicleId: { holder: null, label: "vehicle", kind: () => vehicleKind },
    driverId: { holder: null, label: "driver", kind: () => driverKind }
  }
};
export {
  assignmentKind
};
