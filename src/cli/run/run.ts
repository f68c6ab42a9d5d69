// Runs one command line and returns its exit code, without using the process.
import { type Command, CommanderError } from 'commander';
import type { Clock } from '../../core/ports.js';
import type { Context, GlobalFlags } from '../context/context.js';
import { OpenService } from '../context/open-service.js';
import { Report } from '../context/report.js';
import { refusal } from '../errors/cli-error.js';
import { commandFailureOf, DIFFERENCES } from '../errors/exit-codes.js';
import { incomplete } from '../errors/partial-result.js';
import { helpTopics, isHelpTopic } from '../help/topic-names.js';
import { type Io, write } from '../io/io.js';
import { guardTerminals } from '../io/terminal-guard.js';
import { formatOfFileName } from '../output/formats.js';
import { parseTime, timeForms } from '../parse/time.js';
import { type ChosenZone, chosenZone } from '../time/chosen-zone.js';
import type { FileOutput } from './file-output.js';
import { type ReportingFlags, readReportingFlags, refuseUnusedGlobals, reportingFlagsOf } from './global-flags.js';
import type { JqOutput } from './jq-output.js';
import { reportFailure, reportRemarks, reportWarnings, withWarnings } from './print-failure.js';
import { createProgram } from './program.js';

/**
 * Runs a command line (without interpreter and script) and returns its exit code. Text for
 * terminals is escaped. A server passes its `service` to share it.
 */
export async function run(argv: readonly string[], processIo: Io, service = new OpenService()): Promise<number> {
  // `fleet help vehicles` is `fleet vehicles --help`.
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const io = guardTerminals(processIo);
  const report = new Report();
  let isParsed = false;
  let createJqOutput: ((context: Context, isEndless: boolean) => JqOutput) | null = null;
  let collectedOutput: JqOutput | null = null;
  let openFile: ((file: string) => FileOutput) | null = null;
  let written: FileOutput | null = null;
  let hasEnd = true;
  let command: Command | null = null;
  const program = createProgram(io, (parsed, { isEndless } = { isEndless: false }) => {
    hasEnd = !isEndless;
    const globals = withFormatOfFile(parsed.opts<GlobalFlags>());
    const zone = chosenZone(globals, io.env);
    const clock = clockOf(io, globals, zone);
    const own = colored(io, reportingFlagsOf(globals, io.env));
    if (globals.outputFile !== undefined && openFile !== null) written = openFile(globals.outputFile);
    const context: Context = {
      io: written === null ? own : Object.create(own, { stdout: { value: written.stdout, enumerable: true } }),
      clock,
      zone,
      globals,
      command,
      report,
      service,
      runCommand: run,
    };
    if (createJqOutput === null) return context;
    collectedOutput = createJqOutput(context, isEndless);
    return collectedOutput.context;
  });
  program.hook('preSubcommand', () => {
    isParsed = true;
  });
  program.hook('preAction', async (_program, called) => {
    command = called;
    refuseUnusedGlobals(program, called);
    const { jq: expression, timeout, outputFile } = program.opts<GlobalFlags>();
    if (outputFile !== undefined) {
      const { fileOutput } = await import('./file-output.js');
      openFile = fileOutput;
    }
    if (expression === undefined) return;
    const [{ startJq }, { jqOutput }] = await Promise.all([import('../output/jq.js'), import('./jq-output.js')]);
    const jq = await startJq(expression, { signal: io.signal, timeoutMs: timeout });
    service.onEnd(jq.end);
    createJqOutput = (context, isEndless) => jqOutput(context, jq, isEndless);
  });
  try {
    if (argv[0] === 'help' && isHelpTopic(argv[1])) {
      const { topicText } = await import('../help/topics.js');
      await write(io.stdout, topicText(program, argv[1]));
      return 0;
    }
    await program.parseAsync(words, { from: 'user' });
    // Assigned in a callback, which the compiler cannot see.
    await (collectedOutput as JqOutput | null)?.print();
    (written as FileOutput | null)?.finish();
    if (written !== null) printFileName(io, program.opts<GlobalFlags>(), report.rows);
    await service.end();
    const [missing] = report.takePartial();
    if (missing) throw incomplete(missing);
    const reporting = reportingFlagsOf(program.opts(), io.env);
    if (!reporting.quiet) {
      reportRemarks(report.takeRemarks(), io);
      reportWarnings(report.takeWarnings(), colored(io, reporting));
    }
    return report.hasDifferences ? DIFFERENCES : 0;
  } catch (error) {
    (written as FileOutput | null)?.discard();
    const isParseError = error instanceof CommanderError;
    const areFlagsParsed = isParsed && !isParseError;
    const reporting = areFlagsParsed
      ? reportingFlagsOf(program.opts(), io.env)
      : readReportingFlags(words, io.env, isParseError);
    const { json, quiet, verbose } = reporting;
    const shown = colored(io, reporting);
    const { timeout } = program.opts<GlobalFlags>();
    const baseFailure = commandFailureOf(error, io.signal.aborted, timeout);
    const proxy = baseFailure.code === 'NETWORK' ? await proxyOf(io, service.baseUrl) : null;
    const failureWithProxy = proxy === null ? baseFailure : commandFailureOf(error, io.signal.aborted, timeout, proxy);
    const failure = { ...failureWithProxy, hint: (await hintOf(error, program, argv)) ?? failureWithProxy.hint };
    const remarks = report.takeRemarks();
    const warnings = report.takeWarnings();
    if (!json && !quiet) {
      reportRemarks(remarks, io);
      reportWarnings(warnings, shown);
    }
    // A watch ends with Ctrl-C, and a paged command when the user quits the pager.
    const isEndOfWatch = failure.code === 'ABORTED' && (!hasEnd || report.wasPaged);
    if (failure.exitCode !== 0 && !isEndOfWatch) {
      // For JSON, stderr is a single line, so remarks and warnings go into the hint.
      const reported = json ? withWarnings(failure, [...remarks, ...warnings]) : failure;
      reportFailure(reported, shown, { json, stack: verbose });
    }
    // The failure is printed first: cleanup may take seconds to finish a refresh and store tokens.
    await service.end().catch(() => undefined);
    if (!json && !quiet) reportWarnings(report.takeWarnings(), shown);
    return failure.exitCode;
  }
}

function printFileName(io: Io, { outputFile = '', quiet }: GlobalFlags, rows: number): void {
  if (quiet || io.stderr.isTTY !== true) return;
  const what = rows === 0 ? 'Written' : `${rows} ${rows === 1 ? 'row' : 'rows'} written`;
  reportRemarks([`${what} to ${outputFile}.`], io);
}

/** Sets the format from the extension of --output-file, unless -o sets it. */
function withFormatOfFile(globals: GlobalFlags): GlobalFlags {
  const { output, outputFile } = globals;
  const format = output === undefined && outputFile !== undefined ? formatOfFileName(outputFile) : null;
  return format === null ? globals : { ...globals, output: format };
}

/** Applies --no-color. The streams are still opened at their first use. */
function colored(io: Io, { color }: ReportingFlags): Io {
  if (color) return io;
  return Object.create(io, {
    env: { value: { ...io.env, NO_COLOR: '1', FORCE_COLOR: undefined }, enumerable: true },
  });
}

/** Returns the hint for unknown words. `help` is no command, so that others do not suggest it. */
async function hintOf(error: unknown, program: Command, argv: readonly string[]): Promise<string | null> {
  if (!(error instanceof CommanderError)) return null;
  const { hintAbout } = await import('../hints/unknown-words.js');
  const topics = Object.keys(helpTopics).map((topic) => [topic, `help ${topic}`] as const);
  return hintAbout(error, program, new Map(argv[0] === 'help' ? topics : [['help', 'help']]));
}

async function proxyOf({ env }: Io, baseUrl: string | null): Promise<string | null> {
  if (baseUrl === null) return null;
  const { proxyFor } = await import('../doctor/proxy.js');
  const proxy = proxyFor(env, new URL(baseUrl));
  return proxy && `${proxy.host}:${proxy.port}`;
}

/**
 * Returns the clock. A demo time does not advance, so that each run prints the same text.
 * @throws CliError USAGE for an invalid time, or when --demo is missing
 */
function clockOf(io: Io, { demo, demoTime }: GlobalFlags, zone: ChosenZone): Clock {
  const machine: Clock = io.clock ?? { now: () => Date.now() };
  if (demoTime === undefined) return machine;
  if (!demo) {
    throw refusal('--demo-time needs --demo.', {
      hint: 'Add --demo, or leave out --demo-time: the clock of a real service cannot be set.',
    });
  }
  const time = parseTime(demoTime, machine.now(), zone.name);
  if (time === null) {
    throw refusal(`--demo-time "${demoTime}" is not a time.`, {
      hint: `Write it ${timeForms}.`,
    });
  }
  return { now: () => time };
}
