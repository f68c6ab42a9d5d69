import { timestampMs } from "../../telemetry/timestamps.js";
import { timeColumn } from "./humanize.js";
const ended = timeColumn(({ endedAt }) => endedAt);
const assignmentView = {
  columns: [
    { title: "VEHICLE", text: ({ vehicleName, vehicle }) => vehicleName ?? vehicle ?? "unknown", min: 8, rank: 0 },
    {
      title: "DRIVER",
      text: ({ driverName, driver, driverId }) => driverName ?? driver ?? driverId ?? "unknown",
      min: 8,
      rank: 0
    },
    { title: "FROM", ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: "TO", ...ended, text: endText, paint: paintEnd, rank: 0 },
    {
      title: "DRIVER ID",
      text: ({ driverId }) => driverId ?? "",
      namedBy: ({ driverName, driver }) => driverName ?? driver,
      rank: 1
    },
    {
      title: "VEHICLE ID",
      text: ({ vehicleId }) => vehicleId ?? "",
      namedBy: ({ vehicleName, vehicle }) => vehicleName ?? vehicle,
      rank: 2
    },
    { title: "ID", text: ({ id }) => id ?? "", namedBy: ({ id }) => id, rank: 3 }
  ],
  fields: ["id", "vehicleId", "driverId", "startedAt", "endedAt"],
  added: { vehicle: ["vehicleId"], driver: ["driverId"] }
};
const fleetAssignmentView = {
  ...assignmentView,
  fields: ["vehicle", "driver", ...assignmentView.fields]
};
function endText(row, options) {
  const end = ended.text(row, options);
  if (end !== "") return end;
  return (timestampMs(row.startedAt) ?? options.now) > options.now ? "open" : "ongoing";
}
function paintEnd(text, { endedAt }, { now, colors }) {
  const end = timestampMs(endedAt);
  return end === null || end > now ? colors.green(text) : text;
}
export {
  fleetAssignmentView
};
