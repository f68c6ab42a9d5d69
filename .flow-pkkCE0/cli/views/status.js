import { liveStatus, liveStatuses } from "../../telemetry/live-status.js";
import { timestampMs } from "../../telemetry/timestamps.js";
import { mapFormats } from "../output/view.js";
import { positionText, shortAge, wholeNumber } from "./humanize.js";
import { pointOf } from "./map-views.js";
import { placeFields, placeTextIn, shortPlaceTexts } from "./place.js";
function speedText(speed, status) {
  return typeof speed === "number" && status === "moving" ? `${wholeNumber(speed)} km/h` : "";
}
function paintStatus(text, status, colors) {
  if (status === "moving") return colors.green(text);
  if (status === "idling") return colors.yellow(text);
  return status === "offline" ? colors.red(text) : colors.dim(text);
}
function countsText(rows) {
  const counts = liveStatuses.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count > 0 ? `${wholeNumber(count)} ${status}` : [];
  });
  return `${wholeNumber(rows.length)} ${rows.length === 1 ? "vehicle" : "vehicles"}: ${counts.join(", ")}`;
}
const statusMap = {
  formats: mapFormats,
  position: ["latitude", "longitude"],
  needs: ["id", "name", "timestamp"],
  featureOf: ({ id, name, timestamp, latitude, longitude }) => pointOf({ vehicleId: id, timestamp, gps: { latitude, longitude } }, name, id ?? void 0)
};
function shownStatus(status, deactivated) {
  return deactivated === true ? "deactivated" : status;
}
const seenColumn = {
  title: "SEEN",
  text: ({ timestamp }, { now }) => {
    const moment = timestampMs(timestamp);
    return moment === null ? "" : shortAge(moment, now);
  },
  shows: ["timestamp"],
  align: "right",
  rank: 1
};
function liveColumns(lastSnapshot, snapshotOf) {
  const parts = ["timestamp", "gps.speed", "ignition.engineStatus", "canBus.canSpeed", "canBus.canWheelSpeed"];
  return {
    status: {
      kind: "text",
      needs: parts.map((part) => `${lastSnapshot}${part}`),
      value: (row, now) => liveStatus(snapshotOf(row), { now }),
      values: liveStatuses
    },
    seen: {
      kind: "age",
      needs: [`${lastSnapshot}timestamp`],
      value: (row) => snapshotOf(row)?.timestamp ?? null,
      values: null
    }
  };
}
const statusView = {
  map: statusMap,
  computed: {
    seen: { kind: "age", needs: [], shows: ["timestamp"], value: ({ timestamp }) => timestamp, values: null }
  },
  values: { status: liveStatuses },
  columns: [
    { title: "NAME", text: ({ name }) => name ?? "", min: 10, rank: 0 },
    { title: "PLATE", text: ({ licensePlate }) => licensePlate ?? "", shows: ["licensePlate"], min: 8, rank: 4 },
    {
      title: "STATUS",
      text: ({ status, deactivated }) => shownStatus(status, deactivated),
      paint: (text, { status, deactivated }, { colors }) => deactivated ? colors.dim(text) : paintStatus(text, status, colors),
      rank: 0
    },
    seenColumn,
    { title: "SPEED", text: ({ speed, status }) => speedText(speed, status), align: "right", rank: 2 },
    {
      title: "DRIVER",
      text: ({ driver, driverId }) => driver ?? driverId ?? "",
      shows: ["driverId"],
      min: 14,
      rank: 3
    },
    {
      title: "IDENTIFIED",
      text: ({ driverId, identifiedDriver, identifiedDriverId }) => identifiedDriverId === driverId ? "" : identifiedDriver ?? identifiedDriverId ?? "",
      shows: ["identifiedDriver", "identifiedDriverId"],
      min: 14,
      rank: 4
    },
    { title: "PLACE", text: placeTextIn, short: shortPlaceTexts, shows: placeFields, min: 16, rank: 3.5 },
    { title: "POSITION", text: positionText, shows: ["latitude", "longitude"], rank: 5 },
    { title: "ID", text: ({ id }) => id ?? "", namedBy: ({ name }) => name, rank: 6 }
  ],
  fields: [
    "id",
    "name",
    "licensePlate",
    "status",
    "timestamp",
    "speed",
    "direction",
    "latitude",
    "longitude",
    "engineStatus",
    "driverId",
    "driver",
    "identifiedDriverId",
    "identifiedDriver",
    ...placeFields,
    "deactivated"
  ]
};
const ofPresent = /* @__PURE__ */ new Set([
  "direction",
  "driverId",
  "driver",
  "identifiedDriverId",
  "identifiedDriver"
]);
const pastStatusView = {
  ...statusView,
  columns: statusView.columns.filter(({ title }) => title !== "DRIVER" && title !== "IDENTIFIED"),
  fields: statusView.fields.filter((field) => !ofPresent.has(field))
};
export {
  countsText,
  liveColumns,
  paintStatus,
  pastStatusView,
  seenColumn,
  shownStatus,
  speedText,
  statusView
};
