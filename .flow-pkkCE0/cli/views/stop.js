import { totalOf } from "../output/total.js";
import { hoursText, positionText, timeColumn } from "./humanize.js";
import { stopMap } from "./map-views.js";
import { placeFields, placeTextIn, shortPlaceTexts } from "./place.js";
const stopView = {
  columns: [
    { title: "STARTED", shows: ["startedAt"], ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: "ENDED", shows: ["endedAt"], ...timeColumn(({ endedAt }) => endedAt, "open"), rank: 0 },
    { title: "DURATION", text: durationText, shows: ["durationSeconds"], align: "right", rank: 1, inTotal: true },
    {
      title: "IDLE",
      text: ({ idleSeconds }) => (idleSeconds ?? null) === null ? "" : hoursText(Number(idleSeconds)),
      shows: ["idleSeconds"],
      align: "right",
      rank: 2,
      inTotal: true
    },
    { title: "PLACE", text: placeText, short: shortPlaceTexts, shows: [...placeFields], min: 16, rank: 1.5 },
    { title: "DRIVER", text: driverText, shows: ["driver", "driverIds"], min: 10, rank: 3 }
  ],
  map: stopMap,
  nameLists: ["driver"],
  title: "Stops",
  total: totalOf({ durationSeconds: "sum", idleSeconds: "sum", unseenSeconds: "sum" }),
  added: Object.fromEntries(["vehicle", "driver", ...placeFields].map((name) => [name, []])),
  fields: [
    ...["id", "vehicleId", "startedAt", "endedAt", "lastSeenAt", "isOpen", "endedBy", "isStartKnown", "driverIds"],
    ...["durationSeconds", "idleSeconds", "unseenSeconds", "position.latitude", "position.longitude"]
  ]
};
const fleetStopView = {
  ...stopView,
  columns: [{ title: "VEHICLE", text: ({ vehicle }) => vehicle ?? "", min: 8, rank: 0 }, ...stopView.columns],
  fields: ["vehicle", "driver", ...stopView.fields, ...placeFields]
};
function durationText({ durationSeconds, isStartKnown }) {
  return `${isStartKnown === false ? "\u2265 " : ""}${hoursText(durationSeconds)}`;
}
function placeText(stop) {
  return placeTextIn(stop) || positionText(stop.position);
}
function driverText({ driver, driverIds }) {
  return driver ?? driverIds.join(", ");
}
export {
  fleetStopView,
  stopView
};
