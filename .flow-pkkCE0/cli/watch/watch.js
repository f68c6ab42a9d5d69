import { printRows } from "../context/print.js";
import { CliError } from "../errors/cli-error.js";
import { isFormatName, traitsOf } from "../output/formats.js";
import { changedRows } from "./changes.js";
import { pollUntilInterrupted } from "./poll.js";
import { watchTable } from "./watch-table.js";
function watchFormat({ globals, io }, what = "--watch") {
  const isOnTerminal = io.stdout.isTTY === true;
  const name = globals.output || io.env.FLEET_OUTPUT || (isOnTerminal ? "table" : "ndjson");
  if (isFormatName(name)) {
    const { streamable, redrawable } = traitsOf(name);
    if (streamable) refuseListFlags({ globals });
    if (streamable || redrawable && isOnTerminal) return name;
  }
  throw new CliError(
    "USAGE",
    `${what} cannot print ${name}${isOnTerminal ? "" : " in a pipe"}: its output has no end.`,
    {
      hint: "Use -o ndjson, csv or tsv, which print row by row."
    }
  );
}
function refuseListFlags({ globals: { sort, limit } }) {
  if (sort === void 0 && limit === void 0) return;
  const flag = sort === void 0 ? "--limit" : "--sort";
  throw new CliError("USAGE", `${flag} needs a complete list, but --watch prints changes as they arrive.`, {
    hint: `Leave out ${flag}, or watch on a terminal.`
  });
}
async function watch(context, everyMs, source) {
  const output = watchFormat(context);
  const events = withMissing(
    pollUntilInterrupted(context, everyMs, (options) => source.request(options)),
    source
  );
  if (traitsOf(output).redrawable) return watchTable(context, everyMs, events, source);
  const shape = source.shape(context);
  const printing = { ...context, globals: { ...context.globals, output } };
  await printRows(printing, changedRows(context, asRows(events, source), shape, source), shape.view, source.emptyText);
}
async function* withMissing(events, source) {
  for await (const event of events) {
    const missing = event.kind === "answer" ? source.missing?.(event.answer) ?? null : null;
    yield event.kind === "outage" || missing === null ? event : { ...event, warnings: [...event.warnings, missing] };
  }
}
async function* asRows(events, { rows }) {
  for await (const event of events) {
    yield event.kind === "outage" ? event : { ...event, answer: rows(event.answer, event.at) };
  }
}
export {
  watch,
  watchFormat
};
