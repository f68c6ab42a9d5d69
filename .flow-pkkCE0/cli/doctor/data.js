import { FleetError } from "../../core/errors.js";
import { call } from "../connection/call.js";
import { CliError } from "../errors/cli-error.js";
import { findingOf, ok, warning } from "./check.js";
const lists = {
  getVehicles: { id: true },
  getActiveVehicles: { id: true },
  getGeofences: { id: true },
  getGroups: { id: true },
  getLabels: { id: true },
  getMetaSensors: { name: true },
  getPeople: { id: true },
  getRoles: { id: true },
  getRules: { id: true },
  getUserInfo: { userId: true },
  getVehicleTypes: { id: true },
  getWorkSchedules: { id: true }
};
async function checkData(client, signal, timeoutMs) {
  const names = Object.keys(lists);
  const answers = await Promise.allSettled(
    names.map((name) => call(client, name, {}, { signal, select: lists[name] }))
  );
  const failures = answers.flatMap(
    (answer, index) => answer.status === "rejected" ? [{ name: names[index] ?? "", error: answer.reason }] : []
  );
  const [first] = failures;
  if (first === void 0) return ok(`${names.length} of ${names.length} lists can be read`);
  if (failures.length === names.length) throw first.error;
  for (const { error } of failures) if (!isRefusal(error)) throw error;
  const refused = failures.map(({ name }) => name).join(", ");
  return warning(
    `${names.length - failures.length} of ${names.length} lists can be read; refused: ${refused}. ${findingOf(first.error, timeoutMs).detail}`,
    "If this user should see them, ask the administrator of the account."
  );
}
function isRefusal(error) {
  return (error instanceof FleetError || error instanceof CliError) && error.code === "GRAPHQL";
}
export {
  checkData
};
