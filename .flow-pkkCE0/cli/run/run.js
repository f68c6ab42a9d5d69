import { CommanderError } from "commander";
import { OpenService } from "../context/open-service.js";
import { Report } from "../context/report.js";
import { commandFailureOf, DIFFERENCES } from "../errors/exit-codes.js";
import { incomplete } from "../errors/partial-result.js";
import { helpTopics, isHelpTopic } from "../help/topic-names.js";
import { write } from "../io/io.js";
import { guardTerminals } from "../io/terminal-guard.js";
import { formatOfFileName } from "../output/formats.js";
import { chosenZone } from "../time/chosen-zone.js";
import { clockOf } from "./clock.js";
import { refuseUnusedGlobals, tellingFlags, tellingFlagsIn } from "./global-flags.js";
import { reportFailure, reportRemarks, reportWarnings, withWarnings } from "./print-failure.js";
import { createProgram } from "./program.js";
async function run(argv, given, service = new OpenService()) {
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
  const io = guardTerminals(given);
  const report = new Report();
  let isParsed = false;
  let filteredBy = null;
  let filtered = null;
  let openFile = null;
  let written = null;
  let hasEnd = true;
  let command = null;
  const program = createProgram(io, (parsed, { isEndless } = { isEndless: false }) => {
    hasEnd = !isEndless;
    const globals = withFormatOfFile(parsed.opts());
    const zone = chosenZone(globals, io.env);
    const clock = clockOf(io, globals, zone);
    const own = colored(io, tellingFlagsIn(globals, io.env));
    if (globals.outputFile !== void 0 && openFile !== null) written = openFile(globals.outputFile);
    const context = {
      io: written === null ? own : Object.create(own, { stdout: { value: written.stdout, enumerable: true } }),
      clock,
      zone,
      globals,
      command,
      report,
      service,
      runCommand: run
    };
    if (filteredBy === null) return context;
    filtered = filteredBy(context, isEndless);
    return filtered.context;
  });
  program.hook("preSubcommand", () => {
    isParsed = true;
  });
  program.hook("preAction", async (_program, called) => {
    command = called;
    refuseUnusedGlobals(program, called);
    const { jq: expression, timeout, outputFile } = program.opts();
    if (outputFile !== void 0) {
      const { fileOutput } = await import("./file-output.js");
      openFile = fileOutput;
    }
    if (expression === void 0) return;
    const [{ startJq }, { jqOutput }] = await Promise.all([import("../output/jq.js"), import("./jq-output.js")]);
    const jq = await startJq(expression, { signal: io.signal, timeoutMs: timeout });
    service.onEnd(jq.end);
    filteredBy = (context, isEndless) => jqOutput(context, jq, isEndless);
  });
  try {
    if (argv[0] === "help" && isHelpTopic(argv[1])) {
      const { topicText } = await import("../help/topics.js");
      await write(io.stdout, topicText(program, argv[1]));
      return 0;
    }
    await program.parseAsync(words, { from: "user" });
    await filtered?.print();
    written?.finish();
    if (written !== null) tellFile(io, program.opts(), report.rows);
    await service.end();
    const [missing] = report.takePartial();
    if (missing) throw incomplete(missing);
    const telling = tellingFlagsIn(program.opts(), io.env);
    if (!telling.quiet) {
      reportRemarks(report.takeRemarks(), io);
      reportWarnings(report.takeWarnings(), colored(io, telling));
    }
    return report.hasDifferences ? DIFFERENCES : 0;
  } catch (error) {
    written?.discard();
    const isSlip = error instanceof CommanderError;
    const isTold = isParsed && !isSlip;
    const telling = isTold ? tellingFlagsIn(program.opts(), io.env) : tellingFlags(words, io.env, isSlip);
    const { json, quiet, verbose } = telling;
    const shown = colored(io, telling);
    const { timeout } = program.opts();
    const known = commandFailureOf(error, io.signal.aborted, timeout);
    const proxy = known.code === "NETWORK" ? await proxyOf(io, service.baseUrl) : null;
    const told = proxy === null ? known : commandFailureOf(error, io.signal.aborted, timeout, proxy);
    const failure = { ...told, hint: await hintOf(error, program, argv) ?? told.hint };
    const remarks = report.takeRemarks();
    const warnings = report.takeWarnings();
    if (!json && !quiet) {
      reportRemarks(remarks, io);
      reportWarnings(warnings, shown);
    }
    const isEndOfWatch = failure.code === "ABORTED" && (!hasEnd || report.wasPaged);
    if (failure.exitCode !== 0 && !isEndOfWatch) {
      const reported = json ? withWarnings(failure, [...remarks, ...warnings]) : failure;
      reportFailure(reported, shown, { json, stack: verbose });
    }
    await service.end().catch(() => void 0);
    if (!json && !quiet) reportWarnings(report.takeWarnings(), shown);
    return failure.exitCode;
  }
}
function tellFile(io, { outputFile = "", quiet }, rows) {
  if (quiet || io.stderr.isTTY !== true) return;
  const what = rows === 0 ? "Written" : `${rows} ${rows === 1 ? "row" : "rows"} written`;
  reportRemarks([`${what} to ${outputFile}.`], io);
}
function withFormatOfFile(globals) {
  const { output, outputFile } = globals;
  const format = output === void 0 && outputFile !== void 0 ? formatOfFileName(outputFile) : null;
  return format === null ? globals : { ...globals, output: format };
}
function colored(io, { color }) {
  if (color) return io;
  return Object.create(io, {
    env: { value: { ...io.env, NO_COLOR: "1", FORCE_COLOR: void 0 }, enumerable: true }
  });
}
async function hintOf(error, program, argv) {
  if (!(error instanceof CommanderError)) return null;
  const { hintAbout } = await import("../hints/unknown-words.js");
  const topics = Object.keys(helpTopics).map((topic) => [topic, `help ${topic}`]);
  return hintAbout(error, program, new Map(argv[0] === "help" ? topics : [["help", "help"]]));
}
async function proxyOf({ env }, baseUrl) {
  if (baseUrl === null) return null;
  const { proxyFor } = await import("../doctor/proxy.js");
  const proxy = proxyFor(env, new URL(baseUrl));
  return proxy && `${proxy.host}:${proxy.port}`;
}
export {
  run
};
