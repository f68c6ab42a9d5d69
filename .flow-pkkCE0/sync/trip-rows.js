import { offsetAt, zoneNamed } from "fleet-telematics/kit";
import { partRows, rowOf } from "./rows.js";
import { partTables } from "./tables.js";
function tripSteps(trips, periods) {
  const parts = new Map(partTables("trips").map(({ name }) => [name, []]));
  for (const trip of trips) {
    for (const { table, rows: rows2 } of partRows("trips", trip)) parts.get(table)?.push(...rows2);
  }
  const rows = trips.map((trip) => rowOf("trips", trip, localTimes(trip)));
  return [
    { kind: "replace", table: "trips", rows, periods },
    ...[...parts].map(([table, own]) => ({ kind: "replace", table, rows: own, periods }))
  ];
}
function localTimes({ startedAt, endedAt, details }) {
  const { timeZone } = details;
  return {
    local_started_at: localTimeText(Date.parse(startedAt), timeZone),
    local_ended_at: endedAt === null ? null : localTimeText(Date.parse(endedAt), timeZone)
  };
}
function localTimeText(moment, timeZone) {
  const zone = (typeof timeZone === "string" ? zoneNamed(timeZone) : void 0) ?? "UTC";
  return new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 19).replace("T", " ");
}
export {
  localTimeText,
  tripSteps
};
