// Runs one command line and returns its exit code, without using the process.
import { type Command, CommanderError } from 'commander';
import type { Clock } from '../../core/ports.js';
import type { Context, GlobalFlags } from '../context/context.js';
import { OpenService } from '../context/open-service.js';
import { Report } from '../context/report.js';
import { refusal } from '../errors/cli-error.js';
import { type CommandFailure, commandFailureOf, DIFFERENCES } from '../errors/exit-codes.js';
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
import { createProgram, loadAll } from './program.js';

/**
 * Runs a command line (without interpreter and script) and returns its exit code. Text for
 * terminals is escaped. A server passes its `service` to share it.
 */
export async function run(argv: readonly string[], processIo: Io, service = new OpenService()): Promise<number> {
  return new CommandRun(argv, guardTerminals(processIo), service).execute();
}

class CommandRun {
  readonly #argv: readonly string[];
  /** The command line, where `help vehicles` is `vehicles --help`. */
  readonly #words: readonly string[];
  readonly #io: Io;
  readonly #service: OpenService;
  readonly #report = new Report();
  readonly #program: Command;
  #isParsed = false;
  #isEndless = false;
  #command: Command | null = null;
  #createJqOutput: ((context: Context) => JqOutput) | null = null;
  #jqOutput: JqOutput | null = null;
  #openFile: ((file: string) => FileOutput) | null = null;
  #file: FileOutput | null = null;

  constructor(argv: readonly string[], io: Io, service: OpenService) {
    this.#argv = argv;
    this.#words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
    this.#io = io;
    this.#service = service;
    this.#program = createProgram(io, (parsed, how) => this.#openContext(parsed, how?.isEndless ?? false));
    this.#program.hook('preSubcommand', () => {
      this.#isParsed = true;
    });
    this.#program.hook('preAction', (_program, called) => this.#prepare(called));
  }

  async execute(): Promise<number> {
    try {
      const [first, topic] = this.#argv;
      if (first === 'help' && isHelpTopic(topic)) {
        const { topicText } = await import('../help/topics.js');
        await write(this.#io.stdout, topicText(this.#program, topic));
        return 0;
      }
      await this.#program.parseAsync([...this.#words], { from: 'user' });
      return await this.#finish();
    } catch (error) {
      return this.#fail(error);
    }
  }

  #openContext(parsed: Command, isEndless: boolean): Context {
    this.#isEndless = isEndless;
    const { env } = this.#io;
    const globals = withFormatOfFile(parsed.opts<GlobalFlags>());
    const zone = chosenZone(globals, env);
    const clock = clockOf(this.#io, globals, zone);
    const own = colored(this.#io, reportingFlagsOf(globals, env));
    if (globals.outputFile !== undefined) this.#file = this.#openFile?.(globals.outputFile) ?? null;
    const context: Context = {
      io: this.#file === null ? own : Object.create(own, { stdout: { value: this.#file.stdout, enumerable: true } }),
      clock,
      zone,
      globals,
      command: this.#command,
      report: this.#report,
      service: this.#service,
      runCommand: run,
    };
    if (this.#createJqOutput === null) return context;
    this.#jqOutput = this.#createJqOutput(context);
    return this.#jqOutput.context;
  }

  /** Checks the global flags before the action of a command, and loads what they need. */
  async #prepare(called: Command): Promise<void> {
    this.#command = called;
    refuseUnusedGlobals(this.#program, called);
    const { jq: expression, timeout, outputFile } = this.#program.opts<GlobalFlags>();
    if (outputFile !== undefined) {
      const { fileOutput } = await import('./file-output.js');
      this.#openFile = fileOutput;
    }
    if (expression === undefined) return;
    const [{ startJq }, { jqOutput }] = await Promise.all([import('../output/jq.js'), import('./jq-output.js')]);
    const jq = await startJq(expression, { signal: this.#io.signal, timeoutMs: timeout });
    this.#service.onEnd(jq.end);
    this.#createJqOutput = (context) => jqOutput(context, jq, this.#isEndless);
  }

  /** Completes the output of a command that has not failed, and returns its exit code. */
  async #finish(): Promise<number> {
    const report = this.#report;
    await this.#jqOutput?.print();
    this.#file?.finish();
    if (this.#file !== null) printFileName(this.#io, this.#program.opts<GlobalFlags>(), report.rows);
    await this.#service.end();
    const [missing] = report.takePartial();
    if (missing) throw incomplete(missing);
    const reporting = reportingFlagsOf(this.#program.opts(), this.#io.env);
    if (!reporting.quiet) {
      reportRemarks(report.takeRemarks(), this.#io);
      reportWarnings(report.takeWarnings(), colored(this.#io, reporting));
    }
    return report.hasDifferences ? DIFFERENCES : 0;
  }

  /** Reports an error, and returns its exit code. */
  async #fail(error: unknown): Promise<number> {
    const [io, report] = [this.#io, this.#report];
    this.#file?.discard();
    const reporting = this.#failureFlags(error);
    const { json, quiet, verbose } = reporting;
    const shown = colored(io, reporting);
    const failure = await this.#failureOf(error);
    const remarks = report.takeRemarks();
    const warnings = report.takeWarnings();
    if (!json && !quiet) {
      reportRemarks(remarks, io);
      reportWarnings(warnings, shown);
    }
    // A watch ends with Ctrl-C, and a paged command when the user quits the pager.
    const isEndOfWatch = failure.code === 'ABORTED' && (this.#isEndless || report.wasPaged);
    if (failure.exitCode !== 0 && !isEndOfWatch) {
      // For JSON, stderr is a single line, so remarks and warnings go into the hint.
      const reported = json ? withWarnings(failure, [...remarks, ...warnings]) : failure;
      reportFailure(reported, shown, { json, stack: verbose });
    }
    // The failure is printed first: cleanup may take seconds to finish a refresh and store tokens.
    await this.#service.end().catch(() => undefined);
    if (!json && !quiet) reportWarnings(report.takeWarnings(), shown);
    return failure.exitCode;
  }

  #failureFlags(error: unknown): ReportingFlags {
    const isParseError = error instanceof CommanderError;
    if (this.#isParsed && !isParseError) return reportingFlagsOf(this.#program.opts(), this.#io.env);
    return readReportingFlags(this.#words, this.#io.env, isParseError);
  }

  async #failureOf(error: unknown): Promise<CommandFailure> {
    const { timeout } = this.#program.opts<GlobalFlags>();
    const isAborted = this.#io.signal.aborted;
    const base = commandFailureOf(error, isAborted, timeout);
    const proxy = base.code === 'NETWORK' ? await proxyOf(this.#io, this.#service.baseUrl) : null;
    const failure = proxy === null ? base : commandFailureOf(error, isAborted, timeout, proxy);
    return { ...failure, hint: (await this.#hintOf(error)) ?? failure.hint };
  }

  /** Returns the hint for unknown words. `help` is no command, so that others do not suggest it. */
  async #hintOf(error: unknown): Promise<string | null> {
    if (!(error instanceof CommanderError)) return null;
    const { hintAbout } = await import('../hints/unknown-words.js');
    const topics = Object.keys(helpTopics).map((topic) => [topic, `help ${topic}`] as const);
    const extra = new Map(this.#argv[0] === 'help' ? topics : [['help', 'help']]);
    const all = () => loadAll(this.#io, (parsed) => this.#openContext(parsed, false));
    return hintAbout(error, this.#program, all, extra);
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
