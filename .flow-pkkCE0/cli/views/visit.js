import { hoursText, timeColumn } from "./humanize.js";
function visitView(shown) {
  return {
    columns: [
      ...shown.geofence ? [{ title: "GEOFENCE", text: ({ geofence }) => geofence, min: 12, rank: 0 }] : [],
      { title: "VEHICLE", text: ({ vehicle }) => vehicle, min: 8, rank: 0 },
      { title: "PLATE", text: ({ licensePlate }) => licensePlate ?? "", min: 8, rank: 3 },
      { title: "ENTERED", ...timeColumn(({ enteredAt }) => enteredAt, "before"), rank: 0 },
      { title: "LEFT", ...timeColumn(({ leftAt }) => leftAt, shown.isOver ? "later" : "still there"), rank: 0 },
      { title: "DWELL", text: dwellText, align: "right", rank: 1 },
      { title: "DRIVER", text: ({ driver }) => driver, min: 10, rank: 2 }
    ],
    nameLists: ["driver"],
    fields: [
      "geofence",
      "vehicle",
      "licensePlate",
      "driver",
      "enteredAt",
      "leftAt",
      "dwellSeconds",
      "lastSeenAt",
      "geofenceId",
      "vehicleId",
      "driverIds"
    ]
  };
}
function dwellText({ dwellSeconds, enteredAt, leftAt }) {
  return `${enteredAt === null || leftAt === null ? "\u2265 " : ""}${hoursText(dwellSeconds)}`;
}
export {
  visitView
};
