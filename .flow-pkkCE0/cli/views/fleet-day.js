import { timestampMs } from "../../telemetry/timestamps.js";
import { table } from "../output/table.js";
import { totalOf } from "../output/total.js";
import { hoursText, namesText, shortAge, wholeNumber } from "./humanize.js";
import { placeFields, placeTextIn, shortPlaceTexts } from "./place.js";
import { paintStatus, seenColumn, shownStatus, speedText } from "./status.js";
import { topSpeedText } from "./trip.js";
import { kilometres } from "./trip-sum.js";
import { hourCells } from "./vehicle-day.js";
const driven = (value, trips, text) => value === null || trips === 0 ? "" : text(value);
const measures = {
  distanceKm: { title: "DISTANCE", value: ({ distanceKm }) => distanceKm, text: kilometres },
  trips: { title: "TRIPS", value: ({ trips }) => trips, text: String },
  timesParked: { title: "PARKED", value: ({ timesParked }) => timesParked, text: String },
  movingSeconds: { title: "DRIVING", value: ({ movingSeconds }) => movingSeconds, text: hoursText },
  idleSeconds: { title: "IDLE", value: ({ idleSeconds }) => idleSeconds, text: hoursText },
  topSpeedKmh: { title: "TOP SPEED", value: ({ topSpeedKmh }) => topSpeedKmh, text: topSpeedText }
};
const fleetDayView = {
  title: "Day of the fleet",
  columns: [
    { title: "VEHICLE", text: nameOf, shows: ["name"], min: 8, rank: 0 },
    {
      title: "NOW",
      text: ({ status, deactivated }) => status === null ? "" : shownStatus(status, deactivated),
      paint: (text, { status, deactivated }, { colors }) => status === null || deactivated ? colors.dim(text) : paintStatus(text, status, colors),
      shows: ["status"],
      rank: 0
    },
    { ...seenColumn, rank: 7 },
    {
      title: "SPEED",
      text: ({ speed, status }) => status === null ? "" : speedText(speed, status),
      align: "right",
      rank: 5
    },
    {
      title: "DISTANCE",
      text: ({ distanceKm, trips }) => driven(distanceKm, trips, kilometres),
      shows: ["distanceKm"],
      bar: ({ distanceKm }) => distanceKm,
      align: "right",
      rank: 0,
      inTotal: true
    },
    {
      title: "DRIVING",
      text: ({ movingSeconds, trips }) => driven(movingSeconds, trips, hoursText),
      align: "right",
      rank: 2,
      inTotal: true
    },
    {
      title: "IDLE",
      text: ({ idleSeconds, trips }) => driven(idleSeconds, trips, hoursText),
      align: "right",
      rank: 4,
      inTotal: true
    },
    {
      title: "PARKED",
      text: ({ timesParked, trips }) => driven(timesParked, trips, String),
      align: "right",
      rank: 6,
      inTotal: true
    },
    {
      title: "0h    6h    12h   18h",
      text: ({ hours, trips }, options) => hours === null || !trips ? "" : hourCells(hours, options),
      shows: ["hours"],
      rank: 1
    },
    { title: "PLACE", text: placeTextIn, short: shortPlaceTexts, shows: placeFields, min: 12, rank: 3 },
    { title: "DRIVER", text: ({ driver, driverId }) => driver ?? driverId ?? "", shows: ["driver"], min: 14, rank: 9 },
    { title: "ID", text: ({ id }) => id ?? "", namedBy: nameOf, rank: 10 }
  ],
  chart: { label: nameOf, measures },
  fields: [
    ...["id", "name", "licensePlate", "status", "timestamp", "speed", "driverId", "driver", ...placeFields],
    ...["distanceKm", "trips", "timesParked", "movingSeconds", "idleSeconds", "topSpeedKmh", "hours", "deactivated"]
  ],
  total: totalOf({
    ...{
      distanceKm: "sum",
      trips: "sum",
      timesParked: "sum",
      movingSeconds: "sum",
      idleSeconds: "sum",
      topSpeedKmh: "max"
    }
  })
};
function nameOf({ name, licensePlate, id }) {
  return name || licensePlate || id || "";
}
const factsView = {
  columns: [],
  fields: [],
  details: [
    { title: "Day", text: ({ day }) => day },
    { title: "Now", text: ({ live }) => live },
    { title: "Driven", text: drivenText },
    {
      title: "Too fast now",
      text: ({ rows, speedLimitKmh }) => {
        const fast = rows.filter(({ status, speed }) => status === "moving" && (speed ?? 0) > speedLimitKmh);
        const names = sortedBy(fast, ({ speed }) => -(speed ?? 0)).map(
          (row) => `${nameOf(row)} (${topSpeedText(row.speed)})`
        );
        return names.length === 0 ? "" : `${namesText(names)}; over ${speedLimitKmh} km/h`;
      },
      paint: (text, _, { colors }) => colors.red(text)
    },
    {
      title: "Fastest",
      text: ({ rows }) => {
        const [first] = sortedBy(rows, ({ topSpeedKmh }) => -(topSpeedKmh ?? 0));
        return first === void 0 || !first.topSpeedKmh ? "" : `${nameOf(first)} (${topSpeedText(first.topSpeedKmh)})`;
      }
    },
    {
      title: "Silent",
      text: ({ rows, now }) => namesText(silent(rows).map((row) => `${nameOf(row)} (${silenceText(row, now)})`)),
      paint: (text, _, { colors }) => colors.yellow(text)
    },
    { title: "Not driven", text: ({ rows }) => notDrivenText(rows) }
  ]
};
function aboveDay(facts) {
  return async function* (options) {
    yield* table.record(facts, factsView, options);
    yield "\n";
  };
}
function drivenText({ rows, whole }) {
  const timesParked = rows.reduce((sum, row) => sum + (row.timesParked ?? 0), 0);
  const [trips, vehicles] = [counted(whole.trips, "trip"), counted(whole.vehicles, "vehicle")];
  if (whole.trips === 0) return "no trip";
  return `${kilometres(whole.distanceKm)} in ${trips} of ${vehicles}: ${hoursText(whole.movingSeconds)} driving, ${hoursText(whole.idleSeconds)} idle, parked ${counted(timesParked, "time")}`;
}
function notDrivenText(rows) {
  const still = rows.filter(({ trips, deactivated }) => trips === 0 && !deactivated);
  return still.length === 0 ? "" : `${counted(still.length, "vehicle")}: ${namesText(still.map(nameOf))}`;
}
function silent(rows) {
  const found = rows.filter(
    ({ status, deactivated }) => !deactivated && status !== null && ["stale", "offline", "unknown"].includes(status)
  );
  return sortedBy(found, ({ timestamp }) => timestampMs(timestamp) ?? Number.POSITIVE_INFINITY);
}
function silenceText({ timestamp }, now) {
  const moment = timestampMs(timestamp);
  return moment === null ? "no data" : shortAge(moment, now);
}
function sortedBy(rows, key) {
  return [...rows].sort((a, b) => key(a) - key(b) || 0);
}
function counted(count, what) {
  return `${wholeNumber(count)} ${count === 1 ? what : `${what}s`}`;
}
export {
  aboveDay,
  fleetDayView
};
