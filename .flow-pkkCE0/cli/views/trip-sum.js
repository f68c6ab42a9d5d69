import { cellText } from "../output/field-path.js";
import { totalOf } from "../output/total.js";
import { hoursText } from "./humanize.js";
import { fuelText, topSpeedText } from "./trip.js";
const sumKeys = ["vehicle", "driver", "day", "group"];
const values = [
  ...["distanceKm", "trips", "vehicles", "durationSeconds", "movingSeconds", "idleSeconds", "unseenSeconds"],
  ...["topSpeedKmh", "fuelUsed", "fuelBy"]
];
const measured = [
  { title: "TRIPS", text: ({ trips }) => String(trips), align: "right", rank: 1, inTotal: true },
  {
    title: "DISTANCE",
    text: ({ distanceKm }) => kilometres(distanceKm),
    bar: ({ distanceKm }) => distanceKm,
    align: "right",
    rank: 0,
    inTotal: true
  },
  {
    title: "DRIVING",
    text: ({ movingSeconds }) => hoursText(movingSeconds),
    align: "right",
    rank: 2,
    inTotal: true
  },
  { title: "IDLE", text: ({ idleSeconds }) => hoursText(idleSeconds), align: "right", rank: 4, inTotal: true },
  { title: "TOP", text: ({ topSpeedKmh }) => topSpeedText(topSpeedKmh), align: "right", rank: 5, inTotal: true },
  { title: "FUEL", text: (row) => fuelText(row), align: "right", rank: 3, inTotal: true }
];
const vehicleCount = {
  title: "VEHICLES",
  // The total of days does not know how many different vehicles they have.
  text: ({ vehicles }) => cellText(vehicles),
  align: "right",
  rank: 6,
  inTotal: true
};
const absent = { driver: "(not identified)", group: "(in no group)" };
const labels = {
  vehicle: ({ vehicle }) => vehicle ?? "",
  driver: ({ driver }) => driver ?? absent.driver,
  day: ({ day }) => day ?? "",
  group: (row) => `${"  ".repeat(row.level ?? 0)}${groupText(row) ?? absent.group}`
};
const idColumns = {
  vehicle: [
    { title: "VEHICLE ID", text: ({ vehicleId }) => vehicleId ?? "", namedBy: ({ vehicle }) => vehicle, rank: 7 }
  ],
  driver: [{ title: "DRIVER ID", text: ({ driverId }) => driverId ?? "", namedBy: ({ driver }) => driver, rank: 7 }],
  day: [],
  group: [{ title: "GROUP ID", text: ({ groupId }) => groupId ?? "", namedBy: ({ group }) => group, rank: 7 }]
};
const keyFields = {
  vehicle: ["vehicle", "vehicleId"],
  driver: ["driver", "driverId"],
  day: ["day"],
  group: ["group", "groupId", "parentId", "level", "vehiclesAsked", "vehiclesInGroup"]
};
const measures = {
  distanceKm: { title: "DISTANCE", value: ({ distanceKm }) => distanceKm, text: kilometres },
  trips: { title: "TRIPS", value: ({ trips }) => trips, text: String },
  movingSeconds: { title: "DRIVING", value: ({ movingSeconds }) => movingSeconds, text: hoursText },
  idleSeconds: { title: "IDLE", value: ({ idleSeconds }) => idleSeconds, text: hoursText },
  topSpeedKmh: { title: "TOP SPEED", value: ({ topSpeedKmh }) => topSpeedKmh, text: topSpeedText },
  fuelUsed: { title: "FUEL", value: ({ fuelUsed }) => fuelUsed, text: (fuel) => fuel.toFixed(1) }
};
function groupText({ group, vehiclesAsked, vehiclesInGroup }) {
  if (group === void 0 || group === null || vehiclesAsked === vehiclesInGroup) return group ?? null;
  return `${group} (${vehiclesAsked} of ${vehiclesInGroup} vehicles)`;
}
function tripSumView(by, whole) {
  const fields = by === "vehicle" ? values.filter((field) => field !== "vehicles") : values;
  return {
    title: `Trips by ${by}`,
    columns: [
      { title: by.toUpperCase(), text: labels[by], min: 8, rank: 0 },
      ...by === "vehicle" ? [] : [vehicleCount],
      ...measured,
      ...idColumns[by]
    ],
    fields: [...keyFields[by], ...fields],
    absent,
    chart: { label: labels[by], measures },
    total: whole ? { fields: values, isOfAllRows: true, begin: () => ({ take: () => void 0, row: whole }) } : totalOf({
      ...{ distanceKm: "sum", trips: "sum", durationSeconds: "sum", movingSeconds: "sum", idleSeconds: "sum" },
      ...{ unseenSeconds: "sum", topSpeedKmh: "max", fuelUsed: "sum", fuelBy: "same" }
    })
  };
}
function kilometres(km) {
  return `${km.toFixed(1)} km`;
}
export {
  kilometres,
  sumKeys,
  tripSumView
};
