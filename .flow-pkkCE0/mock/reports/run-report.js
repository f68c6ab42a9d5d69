import { dayMs } from "../core/durations.js";
import { isJsonObject } from "../core/json-object.js";
import { fail, list, object, refined, rfc3339, uuid } from "../core/readers.js";
import { badRequest } from "../core/refusals.js";
import { toRfc3339 } from "../core/rfc3339.js";
import { columnsOf } from "./columns.js";
const maxRows = 1e4;
const inputDescriptions = {
  period: {
    type: "object",
    required: true,
    members: { from: { type: "DateTime", required: true }, to: { type: "DateTime", required: true } }
  },
  vehicleIds: { type: "[UUID]", required: false, description: "All vehicles visible to the user when left out." },
  timezone: { type: "string", required: false, default: "UTC", description: "IANA name; days begin at its midnight." },
  workingHours: {
    type: "object",
    required: false,
    default: { begin: "08:00", end: "17:00" },
    members: { begin: { type: "HH:MM", required: true }, end: { type: "HH:MM", required: true } }
  }
};
const orNothing = (read) => (value, path) => value === void 0 || value === null ? void 0 : read(value, path);
const timezone = (value, path) => {
  try {
    if (typeof value === "string") return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch {
  }
  return fail(path, "must be the IANA name of a time zone");
};
const timeOfDay = (value, path) => {
  const [, hour, minute] = typeof value === "string" && /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) || [];
  return hour === void 0 ? fail(path, 'must be a time of day such as "08:00"') : Number(hour) * 60 + Number(minute);
};
const inputReaders = {
  period: refined(
    object({ from: rfc3339, to: rfc3339 }),
    ({ from, to }) => from <= to ? null : "must not end before it begins"
  ),
  vehicleIds: orNothing(list(uuid)),
  timezone: orNothing(timezone),
  workingHours: orNothing(object({ begin: timeOfDay, end: timeOfDay }))
};
function readInputs({ inputs }, value, strict) {
  if (!isJsonObject(value)) throw badRequest("inputs must be an object.");
  const members = strict ? value : Object.fromEntries(inputs.map((name) => [name, value[name]]));
  try {
    return object(Object.fromEntries(inputs.map((name) => [name, inputReaders[name]])))(members, "inputs");
  } catch (error) {
    throw error instanceof TypeError ? badRequest(`${error.message}.`) : error;
  }
}
function prepareRun({ source }, inputs, context) {
  const { now, scope } = context;
  const { period = { from: now, to: now }, vehicleIds } = inputs;
  const run = {
    context,
    vehicles: vehicleIds === void 0 ? scope.vehicles() : [...new Set(vehicleIds)].map((id) => scope.requireVehicle(id)),
    // There is no data of the future.
    period: { from: period.from, to: Math.min(period.to, now) },
    timezone: inputs.timezone ?? "UTC",
    workingHours: inputs.workingHours ?? { begin: 8 * 60, end: 17 * 60 }
  };
  const vehicleDays = run.vehicles.length * Math.max(0, run.period.to - run.period.from) / dayMs;
  if (source.maxVehicleDays !== null && vehicleDays > source.maxVehicleDays)
    throw badRequest(`The report covers at most ${source.maxVehicleDays} vehicles times days: ask for fewer.`);
  return run;
}
function runReport(report, inputs, context) {
  const { title, source } = report;
  const run = prepareRun(report, readInputs(source, inputs ?? {}, context.strict), context);
  const columns = [...source.columns, ...report.columns];
  const rows = [];
  let truncated = false;
  for (const cells of source.rows(run)) {
    truncated = rows.length === maxRows;
    if (truncated) break;
    rows.push(Object.fromEntries(columns.map((key) => [key, cells[key]])));
  }
  const { from, to } = run.period;
  const period = source.inputs.includes("period") ? { from: toRfc3339(from), to: toRfc3339(to), timezone: run.timezone } : null;
  return { title, period, columns: columnsOf(columns), rows, truncated };
}
function describeReport({ id, title, description, source }) {
  const inputs = Object.fromEntries(source.inputs.map((name) => [name, inputDescriptions[name]]));
  return { id, title, description, onlyFleetTimezone: false, inputs };
}
export {
  describeReport,
  runReport
};
