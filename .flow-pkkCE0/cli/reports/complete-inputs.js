import { timestampMs } from "../../telemetry/timestamps.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { findIds } from "../find/record.js";
import { vehicleChoice } from "../find/vehicles.js";
import { valueAt } from "../output/field-path.js";
import {
  endsTooEarly,
  knownServiceNow,
  readPeriodExpression,
  readTime,
  timestamp,
  withDay
} from "../parse/time.js";
import { vehicleKind } from "../records/vehicle.js";
import { valuesOf } from "./read-flags.js";
import { putAt } from "./report-inputs.js";
async function completeInputs(context, client, report, inputs, { base, period, vehicles, others, known }) {
  const bounds = { from: inputs.find(({ bound }) => bound === "from"), to: inputs.find(({ bound }) => bound === "to") };
  const hasPeriod = bounds.from !== void 0 && bounds.to !== void 0;
  const takesGroups = inputs.some(({ flags: flags2 }) => flags2[0] === "group");
  const takesLabels = inputs.some(({ flags: flags2 }) => flags2[0] === "label");
  const vehicleInput = inputs.find(({ kind, flags: flags2 }) => kind === vehicleKind && flags2.includes("vehicle"));
  const flags = [
    ...others,
    ...hasPeriod ? [] : asTyped(period),
    ...vehicleInput ? [] : listed("vehicle", vehicles.vehicle),
    ...takesGroups || !vehicleInput ? listed("group", vehicles.group) : [],
    ...takesLabels || !vehicleInput ? listed("label", vehicles.label) : [],
    ...vehicleInput ? [] : listed("vehicle-filter", vehicles.vehicleFilter)
  ];
  const values = valuesOf(report, inputs, flags, known);
  const completed = { ...base };
  let span = null;
  if (bounds.from && bounds.to) {
    const given = withDay(context, period);
    if (given.from === void 0 && given.to !== void 0 && valueAt(base, bounds.from.path) === null) {
      throw missing(report, [bounds.from]);
    }
    if (given.from !== void 0) {
      const expression = readPeriodExpression(context, given.from, given.to, () => endsTooEarly(given.to));
      const { from, to, ...whole } = await expression.span(context, client);
      putAt(completed, bounds.from.path, timestamp(from));
      putAt(completed, bounds.to.path, timestamp(to));
      span = { from, ...whole };
    } else if (given.to !== void 0) {
      putAt(completed, bounds.to.path, timestamp(await momentOf(context, client, given.to, "--to")));
    }
  }
  for (const [input, texts] of values) {
    const read = await resolved(context, client, input, texts);
    putAt(completed, input.path, input.list ? read : read[0]);
  }
  if (vehicleInput) {
    const { vehicle = [] } = vehicles;
    const group = takesGroups ? void 0 : vehicles.group;
    const label = takesLabels ? void 0 : vehicles.label;
    const chosen = await chosenVehicles(context, client, vehicle, {
      ...group ? { group } : {},
      ...label ? { label } : {},
      ...vehicles.vehicleFilter ? { vehicleFilter: vehicles.vehicleFilter } : {}
    });
    if (chosen) {
      if (!vehicleInput.list && chosen.length > 1) {
        throw refusal(`The report ${report} takes one vehicle.`, {
          hint: "Give --vehicle once."
        });
      }
      putAt(completed, vehicleInput.path, vehicleInput.list ? chosen : chosen[0]);
    }
  }
  if (Object.keys(base).length === 0) addTimeZone(context, inputs, completed);
  addDefaults(inputs, completed);
  const absent = inputs.filter(
    ({ path, required, default: preset }) => required && preset === void 0 && valueAt(completed, path) === null
  );
  if (absent.length > 0) throw missing(report, absent);
  return { inputs: completed, period: span ?? periodIn(completed, bounds) };
}
function periodIn(completed, bounds) {
  const momentOfBound = (input) => {
    const value = input === void 0 ? null : valueAt(completed, input.path);
    return typeof value === "string" || typeof value === "number" ? timestampMs(value) : null;
  };
  const [from, end] = [momentOfBound(bounds.from), momentOfBound(bounds.to)];
  return from === null || end === null ? null : { from, end, isOfDays: false };
}
async function chosenVehicles(context, client, names, flags) {
  const hasFlags = Object.keys(flags).length > 0;
  if (names.length === 0 && !hasFlags) return null;
  if (names.length > 0 && hasFlags) {
    throw refusal("Give either --vehicle, or --group, --label and --vehicle-filter.", {
      hint: "The others choose among all vehicles."
    });
  }
  const chosen = await vehicleChoice(context, names, flags)(client);
  if (chosen.length > 0) return chosen.map(({ id }) => id);
  throw new CliError("NOT_FOUND", "There is no such vehicle.", {
    undone: "run",
    hint: "`fleet vehicles list` takes the same --group and --label."
  });
}
async function resolved(context, client, { kind, type, flags }, values) {
  if (type === "time") {
    return Promise.all(
      values.map(async (text) => timestamp(await momentOf(context, client, String(text), `--${flags[0] ?? ""}`)))
    );
  }
  if (kind === null) return values;
  const names = values.map(String);
  if (kind === vehicleKind) return await chosenVehicles(context, client, names, {}) ?? [];
  return findIds(context, client, kind, names);
}
async function momentOf(run, client, text, flag) {
  const time = readTime(run, text, flag);
  return time.at(await knownServiceNow(run, client));
}
function addDefaults(inputs, completed) {
  for (const { path, default: preset } of inputs) {
    const above = path.slice(0, path.lastIndexOf(".") + 1);
    if (above === "" || preset === void 0 || valueAt(completed, path) !== null) continue;
    const isGiven = inputs.some((other) => other.path.startsWith(above) && valueAt(completed, other.path) !== null);
    if (isGiven) putAt(completed, path, preset);
  }
}
function addTimeZone(run, inputs, completed) {
  const input = inputs.find(({ path, type }) => /(^|\.)time_?zone$/i.test(path) && type === "text");
  if (!input || valueAt(completed, input.path) !== null) return;
  putAt(completed, input.path, run.zone.name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
function missing(report, inputs) {
  const details = inputs.map(({ flags, path, type, list, description, bound, kind }) => {
    const [flag] = flags;
    const more = bound === "from" ? ", or --on <day>" : bound === "to" ? " (default: now)" : list ? ", repeated for more" : "";
    const how = flag === void 0 ? `"${path}" in --input` : `--${flag} <${kind?.noun ?? type}>${more}`;
    return description === null ? how : `${how}: ${description}`;
  });
  const hasPeriod = inputs.some(({ bound }) => bound !== null);
  return new CliError(
    "USAGE",
    `The report ${report} needs ${inputs.length === 1 ? "an input" : `${inputs.length} inputs`} that ${inputs.length === 1 ? "is" : "are"} missing.`,
    {
      undone: "run",
      details,
      hint: `${hasPeriod ? `For example \`fleet reports run ${report} --on yesterday\`. ` : ""}\`fleet reports inputs ${report}\` lists all of them.`
    }
  );
}
function asTyped({ from, to, on }) {
  return Object.entries({ from, to, on }).flatMap(([flag, value]) => value === void 0 ? [] : [{ flag, value }]);
}
function listed(flag, values) {
  return (values ?? []).map((value) => ({ flag, value }));
}
export {
  completeInputs
};
