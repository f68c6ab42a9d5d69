import { readByVehicle } from "./by-vehicle.js";
import { doubtOf } from "./deletion-guard.js";
import { rowOf } from "./rows.js";
const TABLE = "mapped_sensors";
const none = { added: null, changed: null, removed: null };
async function syncMappedSensors(fleet, target, lists, allowsDeletions) {
  const { part, teller } = lists;
  const remarks = teller.remarks(part);
  const answers = await readByVehicle(
    lists,
    (vehicleId, options) => fleet.getVehicleMappedSensors({ vehicleId }, options)
  );
  const whole = [...answers].filter(([, { gap }]) => gap === null);
  const stored = await storedCounts(target);
  const lostOf = ([vehicleId, { records }]) => Math.max(0, (stored.get(vehicleId) ?? 0) - records.length);
  const missing = whole.reduce((sum, answer) => sum + lostOf(answer), 0);
  const live = whole.reduce((sum, [vehicleId]) => sum + (stored.get(vehicleId) ?? 0), 0);
  const doubt = doubtOf(missing, live, null, allowsDeletions);
  if (doubt !== null) teller.undeleted(part, `${missing} of ${live} rows of ${TABLE} ${doubt}`);
  const taken = doubt === null ? whole : whole.filter((answer) => lostOf(answer) === 0);
  const rows = taken.flatMap(
    ([vehicleId, { records }]) => inOrder(records).map((sensor, ordinal) => rowOf(TABLE, sensor, { ordinal }, remarks, { id: vehicleId }))
  );
  const owners = taken.map(([vehicleId]) => vehicleId);
  const step = { kind: "replaceParts", table: TABLE, rows, owners };
  const written = owners.length === 0 ? 0 : (await target.apply({ steps: [step], cursors: [] })).written;
  const read = [...answers.values()].reduce((sum, { records }) => sum + records.length, 0);
  teller.done(part, { table: TABLE, read, written, ...none });
}
async function storedCounts(target) {
  const counts = /* @__PURE__ */ new Map();
  for (const [vehicleId] of await target.read(TABLE, ["vehicle_id"]))
    counts.set(vehicleId, (counts.get(vehicleId) ?? 0) + 1);
  return counts;
}
function inOrder(sensors) {
  const keyed = sensors.map((sensor) => {
    const key = JSON.stringify([Reflect.get(sensor, "source") ?? "", Reflect.get(sensor, "name") ?? ""]);
    return { sensor, key };
  });
  return keyed.sort((one, other) => one.key < other.key ? -1 : 1).map(({ sensor }) => sensor);
}
export {
  syncMappedSensors
};
