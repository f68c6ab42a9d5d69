const placeholder = /^\{(\w+)\}$/;
const idsQuery = `query idsForExamples {
  getVehicles { id lastData { timestamp } assignedDevices { id } }
  getPeople { id isDriver driverTokens { id } }
  getGeofences { id }
  getGroups { id }
  getRoles { id }
  getRules { id }
  getWorkSchedules { id }
}`;
async function readThemes(get) {
  const response = await get("graphiql/assets/operations.json");
  if (!response.ok) return [];
  return await response.json();
}
function needsRecords({ variables }) {
  return JSON.stringify(variables).includes('"{');
}
async function findRecords(send) {
  const data = at(await send({ query: idsQuery }), "data");
  const rows = (name) => listOf(at(data, name));
  const people = rows("getPeople");
  const drivers = people.filter((person) => at(person, "isDriver") === true);
  const groups = rows("getGroups");
  const last = rows("getVehicles").flatMap(
    (vehicle) => Date.parse(String(at(at(vehicle, "lastData"), "timestamp"))) || []
  );
  const to = last[0] ?? null;
  const first = (from) => at(from[0], "id");
  const found = {
    vehicleId: first(rows("getVehicles")),
    deviceId: first(rows("getVehicles").flatMap((vehicle) => listOf(at(vehicle, "assignedDevices")))),
    personId: first(people),
    driverId: first(drivers),
    tokenId: first(people.flatMap((person) => listOf(at(person, "driverTokens")))),
    geofenceId: first(rows("getGeofences")),
    groupId: first(groups),
    otherGroupId: at(groups[1], "id"),
    roleId: first(rows("getRoles")),
    ruleId: first(rows("getRules")),
    scheduleId: first(rows("getWorkSchedules")),
    from: to === null ? null : new Date(to - 6e5).toISOString(),
    to: to === null ? null : new Date(to).toISOString()
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry) => typeof entry[1] === "string")
  );
}
function variablesText({ variables }, known) {
  if (Object.keys(variables).length === 0) return "";
  const fill = (_key, value) => {
    const name = typeof value === "string" ? placeholder.exec(value)?.[1] : void 0;
    return name === void 0 ? value : known[name] ?? value;
  };
  return JSON.stringify(variables, fill, 2);
}
function at(of, name) {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : void 0;
}
function listOf(value) {
  return Array.isArray(value) ? value : [];
}
export {
  findRecords,
  needsRecords,
  readThemes,
  variablesText
};
