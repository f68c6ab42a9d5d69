import { isObject } from "../../core/json.js";
import { didYouMean } from "../../core/suggestions.js";
import { operations } from "../../generated/operation-table.js";
import { allowPartial } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { connect } from "../connection/connect.js";
import { note } from "../context/context.js";
import { examples } from "../context/define-command.js";
import { formatOf, printRecord, printRows } from "../context/print.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { NamedRows } from "../find/match.js";
import { addVehicleFlags, vehicleChoice } from "../find/vehicles.js";
import { loadObject } from "../input/load-input.js";
import { valueAt } from "../output/field-path.js";
import { isDocument } from "../output/formats.js";
import { repeatable } from "../parse/repeatable.js";
import { periodHelp } from "../parse/time.js";
import { vehicleKind } from "../records/vehicle.js";
import { completeInputs } from "../reports/complete-inputs.js";
import { typedFlags } from "../reports/read-flags.js";
import { reportInputs } from "../reports/report-inputs.js";
import { listShape } from "../shape/list-shape.js";
import { mapViewFor } from "../shape/map-view.js";
import { viewOfFields } from "../shape/view-of-fields.js";
import { periodText } from "../time/period-text.js";
import {
  isByVehicle,
  reportInputView,
  reportTable,
  reportView,
  withAllVehicles
} from "../views/report.js";
const define = (noun, open) => {
  noun.addHelpText(
    "after",
    examples(
      ["fleet reports list", "the available reports and their inputs"],
      ["fleet reports run vehicle-trips --on yesterday -o csv > trips.csv", ""],
      ["fleet reports inputs vehicle-activity", "the flags of a report"]
    )
  );
  noun.command("list").description("list the available reports (getWrappedReportInputs)").addHelpText("after", examples(["fleet reports list", ""], ["fleet reports list -o json", "with their inputs"])).action(() => list(open()));
  noun.command("inputs").description("list the inputs of a report, and the flags that give them (getWrappedReportInputs)").argument("<report>", "id or title").addHelpText("after", examples(["fleet reports inputs vehicle-activity", ""])).action((report) => listInputs(open(), report, reservedBy(noun)));
  const command = noun.command("run").description("run a report and show its rows (getWrappedReport); json and yaml print the complete answer").argument("<report>", "id or title").argument(
    "[inputs...]",
    "other inputs as flags: --timezone Europe/Tallinn; `fleet reports inputs <report>` lists them"
  ).allowUnknownOption().option("--from <time>", "start of the period").option("--to <time>", "end of the period, which is not part of it: 2026-11 for all of October (default: now)").option("--on <day>", 'in place of both: a whole day, week or month, such as yesterday or "last week"').option("--vehicle <vehicle>", "only this vehicle: id, or name, plate or VIN; repeat for more", repeatable);
  addVehicleFlags(command).option(
    "--input <file>",
    "the inputs of the report as one JSON object (- for stdin); flags win"
  );
  command.addHelpText(
    "after",
    `${examples(
      ["fleet reports run vehicles", "a report that needs no inputs"],
      ["fleet reports run vehicle-trips --on yesterday", ""],
      ['fleet reports run vehicle-distance --from -7d --vehicle "Truck 07" --vehicle "Van 01"', ""],
      ["fleet reports run vehicle-activity --on yesterday --working-hours-begin 07:00", ""],
      ["fleet reports run vehicle-trips --input trips.json --sort -distance --limit 10", ""]
    )}

The flags are those of the inputs that the service describes. Names of vehicles, groups, drivers, people and geofences are looked up.
A time zone that is not given is that of your times. csv, tsv and tables show the first table of a report, and name what else it has.
${periodHelp}`
  ).action(
    (report, words, flags) => run(open(), report, words, flags, { reserved: reservedBy(noun), known: flagsOf(command) })
  );
};
function flagsOf(command) {
  const globals = command.parent?.parent?.options ?? [];
  return [...[...command.options, ...globals].flatMap(({ long }) => long ?? []), "--help"];
}
function reservedBy(noun) {
  const globals = (noun.parent?.options ?? []).flatMap(({ long }) => long ? [long.replace(/^--(no-)?/, "")] : []);
  return /* @__PURE__ */ new Set([...globals, "input", "help"]);
}
async function list(context) {
  const shape = listShape(context, reportView, operations.getWrappedReportInputs);
  const client = await connect(context);
  const reports = await allowPartial(
    context,
    (options) => call(client, "getWrappedReportInputs", {}, { ...options, ...shape.options })
  );
  await printRows(context, shape.rows(reports), shape.view, "No report is available to this user.");
}
async function listInputs(context, name, reserved) {
  const shape = listShape(context, reportInputView, "view");
  const client = await connect(context);
  const { inputs } = await findReport(context, client, name);
  const rows = reportInputs(inputs, reserved).map(
    ({ flags: [flag], path, type, kind, list: list2, required, default: preset, choices, description }) => ({
      flag: flag === void 0 ? null : `--${flag}`,
      path,
      type: `${kind ? `${kind.noun}, by id or name` : type}${list2 ? "; repeat for more" : ""}`,
      required,
      default: preset ?? null,
      choices,
      description
    })
  );
  await printRows(context, shape.rows(rows), shape.view, "The report takes no inputs.");
}
async function run(context, name, words, flags, { reserved, known }) {
  if (!formatOf(context).chart) mapViewFor(context, { map: void 0 });
  if (name.startsWith("-")) {
    throw refusal("The report comes first, and its inputs after it.", {
      hint: [
        didYouMean(name.replace(/=.*$/s, ""), known),
        "For example `fleet reports run vehicle-trips --on yesterday`."
      ].filter(Boolean).join(" ")
    });
  }
  const others = typedFlags(words);
  const base = flags.input === void 0 ? {} : await loadObject(context, flags.input, "A report takes one object.");
  const client = await connect(context);
  const { id, inputs: described } = await findReport(context, client, name);
  const inputs = reportInputs(described, reserved);
  const given = { base, period: flags, vehicles: flags, others, known };
  await show(context, client, await reportAnswer(context, client, String(id), inputs, given));
}
async function reportAnswer(context, client, id, inputs, given) {
  const completed = await completeInputs(context, client, id, inputs, given);
  const answer = await runReport(context, client, id, completed.inputs);
  return { answer, expected: expectedVehicles(inputs, completed.inputs), period: completed.period };
}
function expectedVehicles(inputs, completed) {
  const vehicles = inputs.find(({ kind }) => kind === vehicleKind);
  const isOverTime = inputs.some(({ bound }) => bound !== null);
  const isNarrowed = inputs.some(
    ({ kind, path }) => kind !== null && kind !== vehicleKind && isGiven(valueAt(completed, path))
  );
  if (!vehicles || !isOverTime || isNarrowed) return null;
  const ids = valueAt(completed, vehicles.path);
  return Array.isArray(ids) ? ids : isGiven(ids) ? [ids] : [];
}
function isGiven(value) {
  return value !== null && value !== void 0 && value !== "" && !(Array.isArray(value) && value.length === 0);
}
async function findReport(run2, client, name) {
  const reports = await allowPartial(run2, (options) => call(client, "getWrappedReportInputs", {}, options));
  const matches = new NamedRows(named, reports).matches(name.trim());
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError("AMBIGUOUS_NAME", `"${name}" matches ${matches.length} reports.`, {
      choices: matches.map(({ id, title }) => ({ id, title })),
      hint: "Give the id."
    });
  }
  const names = reports.flatMap(({ id, title }) => [id, title]).filter((text) => typeof text === "string");
  throw new CliError("NOT_FOUND", `There is no report "${name}".`, {
    hint: didYouMean(name, names) ?? "`fleet reports list` lists all of them."
  });
}
const named = { texts: [{ noun: "title", form: "name", members: ["title"] }], ignoresSeparators: true };
async function runReport(run2, client, reportId, inputs) {
  try {
    return await allowPartial(
      run2,
      (options) => call(client, "getWrappedReport", { input: { reportId, inputs } }, options)
    );
  } catch (error) {
    if (!(error instanceof CliError && error.code === "GRAPHQL")) throw error;
    throw new CliError(error.code, `The service could not run the report ${reportId}.`, {
      operation: "getWrappedReport",
      details: error.details,
      hint: `\`fleet reports inputs ${reportId}\` shows its inputs.`,
      cause: error
    });
  }
}
async function show(context, client, { answer, expected, period }) {
  const { fields, filter = [], sort, limit } = context.globals;
  const isShaped = fields !== void 0 || filter.length > 0 || sort !== void 0 || limit !== void 0;
  const traits = formatOf(context);
  const table = reportTable(answer?.report);
  if (isTruncated(answer?.report)) {
    context.report.warn("The service left out rows because the report is too long. Request a shorter one.");
  }
  if (table && (isShaped || !isDocument(traits))) {
    const shape = listShape(context, table.view, "view");
    if (table.others.length > 0) {
      context.report.remark(`The report also has ${table.others.join(" and ")}: -o json prints all of it.`);
    }
    const rows = await rowsOfReport(context, client, answer, table, expected);
    if (period === null) return printRows(context, shape.rows(rows), shape.view, "The report has no rows.");
    const inPeriod = periodText(period, context.zone.name);
    if (traits.forPeople) context.report.remark(`Period: ${inPeriod.replace(/^on /, "")}.`);
    const view = { ...shape.view, period: inPeriod };
    return printRows(context, shape.rows(rows), view, "The report has no rows.");
  }
  if (isShaped) {
    throw new CliError("USAGE", "This report has no rows to select from.", {
      hint: "Leave out --fields, --filter, --sort and --limit."
    });
  }
  if (traits.forPeople) note(context, "This report has no rows; use -o json to see all of it.");
  await printRecord(context, answer, viewOfFields({ columns: [], fields: [] }, ["reportId", "report"]));
}
async function rowsOfReport(context, client, answer, table, expected) {
  const isWhole = expected !== null && !isTruncated(answer?.report) && isByVehicle(table);
  const rows = isWhole ? withAllVehicles(table, await vehiclesOf(context, client, expected)) : table.rows;
  if (rows.length > table.rows.length) {
    const few = rows.length - table.rows.length;
    context.report.remark(`${few === 1 ? "1 vehicle is" : `${few} vehicles are`} not in the report and shown with 0.`);
  }
  return rows;
}
async function vehiclesOf(context, client, ids) {
  const vehicles = await vehicleChoice(context, [], {})(client);
  return ids.length === 0 ? vehicles : vehicles.filter(({ id }) => ids.includes(id));
}
function isTruncated(report) {
  return isObject(report) && report.truncated === true;
}
export {
  define
};
