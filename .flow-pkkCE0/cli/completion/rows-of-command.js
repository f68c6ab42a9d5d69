import { operations } from "../../generated/operation-table.js";
const views = {
  status: () => import("../views/login-status.js").then(({ loginStatusFields }) => loginStatusFields),
  doctor: () => import("../views/doctor.js").then(({ doctorView }) => doctorView.fields),
  "users list": () => import("../views/user.js").then(({ userView }) => userView(null).fields),
  "profiles list": () => import("../views/profile.js").then(({ profileView }) => profileView.fields),
  "vehicles status": () => import("../views/status.js").then(({ statusView }) => statusView.fields),
  "vehicles near": () => import("../views/near.js").then(({ nearView }) => nearView.fields),
  "trips list": () => import("../views/trip.js").then(({ fleetTripView }) => fleetTripView.fields),
  "stops list": () => import("../views/stop.js").then(({ fleetStopView }) => fleetStopView.fields),
  "schema check": () => import("../views/schema.js").then(({ findingView }) => findingView.fields)
};
const exceptions = {
  "vehicles groups": "getGroups",
  // The report defines its own columns.
  "reports run": null
};
async function rowsOfCommand(path, command) {
  const name = path.join(" ");
  const view = views[name];
  if (view) return { names: await view() };
  const operationName = name in exceptions ? exceptions[name] : /\(([A-Za-z]+)[^)]*\)/.exec(command.description())?.[1];
  const operation = Object.values(operations).find(({ name: name2 }) => name2 === operationName);
  if (!operation || operation.returns.leaf) return null;
  return { type: operation.returns.type };
}
export {
  rowsOfCommand
};
