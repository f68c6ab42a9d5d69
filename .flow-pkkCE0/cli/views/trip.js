import { totalOf } from "../output/total.js";
import { hoursText, positionText, timeColumn, wholeNumber } from "./humanize.js";
import { tripMap } from "./map-views.js";
import { placeTextIn, shortPlaceTexts } from "./place.js";
const namesOfTrip = ["vehicle", "driver"];
const placesOfStart = ["startPlace", "startNearestPlace", "startNearestPlaceDistanceM", "startNearestPlaceDirection"];
const placesOfEnd = ["endPlace", "endNearestPlace", "endNearestPlaceDistanceM", "endNearestPlaceDirection"];
const placesOfTrip = [...placesOfStart, ...placesOfEnd];
const tripView = {
  columns: [
    { title: "STARTED", shows: ["startedAt"], ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: "ENDED", shows: ["endedAt"], ...timeColumn(({ endedAt }) => endedAt, "open"), paint: paintEnd, rank: 0 },
    {
      title: "DURATION",
      text: ({ durationSeconds }) => hoursText(durationSeconds),
      shows: ["durationSeconds"],
      align: "right",
      rank: 2,
      inTotal: true
    },
    { title: "DISTANCE", text: distanceOf, shows: ["distanceKm"], align: "right", rank: 1, inTotal: true },
    {
      title: "IDLE",
      text: ({ idleSeconds }) => hoursText(idleSeconds),
      shows: ["idleSeconds"],
      align: "right",
      rank: 4,
      inTotal: true
    },
    {
      title: "TOP",
      text: ({ topSpeedKmh }) => topSpeedText(topSpeedKmh),
      shows: ["topSpeedKmh"],
      align: "right",
      rank: 3,
      inTotal: true
    },
    { title: "FUEL", text: fuelText, shows: ["fuelUsed", "fuelBy"], align: "right", rank: 4.5, inTotal: true },
    {
      title: "HARSH",
      text: ({ harshEvents }) => harshCount(harshEvents),
      shows: ["harshEvents"],
      align: "right",
      rank: 5,
      inTotal: true
    },
    { title: "DRIVER", text: driverText, shows: ["driver", "driverIds"], min: 10, rank: 1.5 },
    { title: "FROM", text: startText, short: startShortText, shows: placesOfStart, min: 16, rank: 7 },
    { title: "TO", text: goalText, short: goalShortText, shows: placesOfEnd, min: 16, rank: 8 }
  ],
  map: tripMap,
  nameLists: ["driver"],
  title: "Trips",
  total: totalOf({
    ...{ durationSeconds: "sum", distanceKm: "sum", movingSeconds: "sum", idleSeconds: "sum", unseenSeconds: "sum" },
    ...{ topSpeedKmh: "max", fuelUsed: "sum", fuelBy: "same", harshEvents: "sum", snapshots: "sum" }
  }),
  added: Object.fromEntries([...namesOfTrip, ...placesOfTrip].map((name) => [name, []])),
  fields: [
    "id",
    "vehicleId",
    "startedAt",
    "endedAt",
    "lastSeenAt",
    "isOpen",
    "endedBy",
    "isStartKnown",
    "tripsBy",
    "driverIds",
    "distanceKm",
    "distanceBy",
    "distanceDoubt",
    "durationSeconds",
    "movingSeconds",
    "idleSeconds",
    "unseenSeconds",
    "topSpeedKmh",
    "meanSpeedKmh",
    "fuelUsed",
    "fuelBy",
    "harshEvents",
    "startPosition.latitude",
    "startPosition.longitude",
    "endPosition.latitude",
    "endPosition.longitude",
    "snapshots"
  ]
};
const fleetTripView = {
  ...tripView,
  columns: [{ title: "VEHICLE", text: ({ vehicle }) => vehicle ?? "", min: 8, rank: 0 }, ...tripView.columns],
  fields: [...namesOfTrip, ...tripView.fields, ...placesOfTrip]
};
function paintEnd(text, { isOpen }, { colors }) {
  return isOpen ? colors.green(text) : text;
}
function distanceOf({ distanceKm, distanceDoubt }) {
  return `${(distanceDoubt ?? null) === null ? "" : "~"}${distanceKm.toFixed(1)} km`;
}
function topSpeedText(kmh) {
  return kmh === null ? "" : `${wholeNumber(kmh)} km/h`;
}
function fuelText({
  fuelUsed,
  fuelBy
}) {
  if (fuelUsed === null || fuelUsed === void 0) return "";
  return `${fuelUsed.toFixed(1)}${fuelBy === "canTripFuelUsed" ? " l" : ""}`;
}
function harshCount(events) {
  const count = Object.values(events).reduce((sum, value) => sum + value, 0);
  return count === 0 ? "" : String(count);
}
function driverText({ driver, driverIds }) {
  return driver ?? driverIds.join(", ");
}
function startOf(trip) {
  return {
    nearestPlace: trip.startNearestPlace ?? null,
    nearestPlaceDistanceM: trip.startNearestPlaceDistanceM ?? null,
    nearestPlaceDirection: trip.startNearestPlaceDirection ?? null
  };
}
function startText(trip) {
  return placeTextIn(startOf(trip)) || positionText(trip.startPosition);
}
function startShortText(trip) {
  return shortPlaceTexts(startOf(trip));
}
function goalOf(trip) {
  return {
    nearestPlace: trip.endNearestPlace ?? null,
    nearestPlaceDistanceM: trip.endNearestPlaceDistanceM ?? null,
    nearestPlaceDirection: trip.endNearestPlaceDirection ?? null
  };
}
function goalText(trip) {
  return placeTextIn(goalOf(trip)) || positionText(trip.endPosition);
}
function goalShortText(trip) {
  return shortPlaceTexts(goalOf(trip));
}
export {
  fleetTripView,
  fuelText,
  placesOfTrip,
  topSpeedText,
  tripView
};
