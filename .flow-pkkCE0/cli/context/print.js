import { CliError, refusal } from "../errors/cli-error.js";
import { isAsciiOnly } from "../io/characters.js";
import { colorBitsOf, colorsFor } from "../io/colors.js";
import { columnsOf } from "../io/io.js";
import { formatNames, isFormatName, traitsOf } from "../output/formats.js";
import { note, serviceNow } from "./context.js";
import { writeOutput } from "./write-output.js";
function formatNameOf(run) {
  if (run.globals.jq !== void 0) return jsonForJq(run.globals);
  if (run.globals.output) return run.globals.output;
  const fromEnvironment = run.io.env.FLEET_OUTPUT;
  if (fromEnvironment) {
    if (isFormatName(fromEnvironment)) return fromEnvironment;
    throw new CliError("USAGE", `FLEET_OUTPUT is "${fromEnvironment}", which is not an output format.`, {
      hint: `Set it to one of ${formatNames.join(", ")}, or unset it.`
    });
  }
  return run.io.stdout.isTTY === true ? "table" : "tsv";
}
function jsonForJq({ output }) {
  if (output === void 0 || output === "json" || output === "ndjson") return output ?? "json";
  throw refusal(`--jq reads JSON, and -o asks for ${output}.`, {
    hint: "Leave out -o, or give -o ndjson to apply the expression to each row."
  });
}
function formatOf(run) {
  const name = formatNameOf(run);
  const traits = traitsOf(name);
  if (traits.binary && run.io.stdout.isTTY === true) {
    throw refusal(`${name} is a file of bytes, which a terminal cannot show.`, {
      hint: `Write it to a file: --output-file report.${name}, or > report.${name}.`
    });
  }
  return traits;
}
async function printRows(context, rows, view, emptyText) {
  const traits = formatOf(context);
  const options = renderOptions(context);
  const format = await traits.load();
  const { onTable } = context.io;
  const adding = onTable === void 0 ? void 0 : view.total?.begin();
  let isEmpty = true;
  let failure = null;
  async function* untilFailure() {
    try {
      for await (const row of rows) {
        isEmpty = false;
        context.report.printedRow();
        adding?.take(row);
        yield row;
      }
    } catch (error) {
      if (isEmpty) throw error;
      failure = { error };
    }
  }
  await writeOutput(context, format.rows(untilFailure(), view, options));
  const why = context.globals.filter ? "No row matches the filter." : emptyText;
  onTable?.({ period: view.period ?? null, total: adding?.row() ?? null, emptyText: isEmpty ? why : null });
  throwIfFailed(failure);
  if (isEmpty && traits.forPeople) note(context, why);
  printRemarks(context);
}
function throwIfFailed(failure) {
  if (failure !== null) throw failure.error;
}
async function printRecord(context, record, view) {
  const format = await formatOf(context).load();
  await writeOutput(context, format.record(record, view, renderOptions(context)));
  printRemarks(context);
}
function renderOptions(context) {
  const { stdout, env } = context.io;
  const colors = colorsFor(stdout, env);
  const ascii = isAsciiOnly(env);
  const showsColors = stdout.isTTY === true && colors.isColorSupported && !ascii && formatOf(context).redrawable;
  return {
    width: stdout.isTTY === true ? columnsOf(stdout) : void 0,
    wide: context.globals.wide === true,
    colors,
    colorBits: showsColors ? colorBitsOf(env) : null,
    now: serviceNow(context),
    zone: context.zone.name,
    offset: null,
    hasZone: context.zone.isByFlag,
    headers: context.globals.headers,
    safeCsv: context.globals.safeCsv === true,
    ascii,
    note: (line) => context.report.remark(line)
  };
}
function printRemarks(run) {
  if (formatOf(run).jsonIndent !== null) return;
  for (const remark of run.report.takeRemarks()) note(run, remark);
}
export {
  formatOf,
  printRecord,
  printRows,
  renderOptions
};
