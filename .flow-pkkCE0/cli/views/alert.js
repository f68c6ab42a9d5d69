import { eventKinds } from "../../telemetry/events/event-rule.js";
function vehicleOf({
  vehicle,
  licensePlate,
  vehicleId
}) {
  return vehicle ?? licensePlate ?? vehicleId;
}
function eventWords(event) {
  const prefix = `${vehicleOf(event)}: `;
  return event.text.startsWith(prefix) ? event.text.slice(prefix.length) : event.text;
}
const alertView = {
  columns: [
    { title: "VEHICLE", text: vehicleOf, rank: 0 },
    { title: "EVENT", text: eventWords, rank: 0 }
  ],
  fields: [
    "id",
    "type",
    "rule",
    "resolves",
    "at",
    "foundAt",
    "vehicleId",
    "vehicle",
    "licensePlate",
    "text",
    "value",
    "unit",
    "geofenceId",
    "geofence",
    "latitude",
    "longitude",
    "driverId"
  ],
  values: { type: eventKinds }
};
function asWritten(seconds) {
  const units = [
    ["d", 86400],
    ["h", 3600],
    ["m", 60]
  ];
  const [name, length] = units.find(([, size]) => seconds % size === 0) ?? ["s", 1];
  return `${seconds / length}${name}`;
}
const listed = (names) => names?.join(", ") ?? "";
const effectiveRuleView = {
  columns: [
    { title: "RULE", text: ({ name }) => name, min: 12, rank: 0 },
    { title: "ON", text: ({ on }) => on, rank: 0 },
    { title: "FOR", text: ({ forSeconds }) => forSeconds === 0 ? "" : asWritten(forSeconds), rank: 1 },
    { title: "THRESHOLD", text: thresholdText, rank: 1 },
    { title: "HOURS", text: ruleHoursText, rank: 2 },
    { title: "RESOLVED", text: ({ resolved }) => resolved ? "yes" : "", rank: 3 },
    { title: "GEOFENCES", text: ({ geofence }) => listed(geofence), min: 10, rank: 2 },
    { title: "VEHICLES", text: vehiclesText, min: 10, rank: 1 }
  ],
  fields: [
    "name",
    "on",
    "forSeconds",
    "speedLimitKmh",
    "batteryBelow",
    "resolved",
    "between",
    "days",
    "schedule",
    "outsideSchedule",
    "geofence",
    "group",
    "label",
    "vehicleFilter"
  ]
};
function thresholdText({ speedLimitKmh, batteryBelow }) {
  if (speedLimitKmh !== null) return `over ${speedLimitKmh} km/h`;
  return batteryBelow === null ? "" : `below ${batteryBelow}`;
}
function ruleHoursText({
  between,
  days,
  schedule,
  outsideSchedule
}) {
  return [
    days && `on ${days.join(", ")}`,
    between && `between ${between}`,
    schedule && `in ${schedule}`,
    outsideSchedule && `outside ${outsideSchedule}`
  ].filter(Boolean).join(" ");
}
function vehiclesText({ group, label, vehicleFilter }) {
  const parts = [
    group && `group ${listed(group)}`,
    label && `label ${listed(label)}`,
    vehicleFilter ? vehicleFilter.join(" and ") : null
  ].filter((part) => part !== null);
  return parts.length === 0 ? "all" : parts.join("; ");
}
export {
  alertView,
  effectiveRuleView,
  eventWords,
  ruleHoursText,
  vehicleOf
};
