// One tool call: runs commands with the server's client and reads their JSON output.
import { Readable, Writable } from 'node:stream';
import type { FleetClient } from 'fleet-telematics';
import type { TableFrame } from 'fleet-telematics/kit/command';
import { CliError, type Context, DIFFERENCES, Report, serviceNow } from 'fleet-telematics/kit/command';

export type AnswerRow = Readonly<Record<string, unknown>>;

/** Limit of rows of a command: more would fill the memory, and nobody reads them. */
const MOST_ROWS = 20_000;

/** Exit code for a partial output. */
const INCOMPLETE = 6;

export interface PrintedRows extends TableFrame {
  readonly rows: readonly AnswerRow[];
}

/** A command's failure, from its JSON line on stderr. */
export class CommandError extends Error {
  readonly code: string;
  readonly hint: string | null;
  readonly choices: readonly unknown[];

  constructor(stderrTexts: unknown) {
    const { code, message, hint, choices } = Object(Object(stderrTexts).error);
    super(String(message ?? 'The command failed.'));
    this.code = String(code ?? 'UNEXPECTED');
    this.hint = typeof hint === 'string' ? hint : null;
    this.choices = Array.isArray(choices) ? choices : [];
  }
}

export interface CallParts {
  readonly server: Context;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly openClient: () => Promise<FleetClient>;
}

export class ToolCall {
  readonly #parts: CallParts;
  /** The server's context with report and signal of this call, for work outside commands. */
  readonly context: Context;
  /** Rows so far, for a partial answer. */
  readonly rows: AnswerRow[] = [];
  /** True after a command with partial output. */
  isIncomplete = false;

  constructor(parts: CallParts) {
    const { server, signal, onProgress } = parts;
    this.#parts = parts;
    const io = { ...server.io, signal, onProgress, ...silentStreams() };
    this.context = { ...server, io, report: new Report() };
  }

  get client(): Promise<FleetClient> {
    return this.#parts.openClient();
  }

  /** By the service's clock, in ms since 1970. */
  get now(): number {
    return serviceNow(this.context);
  }

  /**
   * Returns the rows of a command. `words`: noun, verb and flags as `--name=value`, then `--` and
   * names. `fields`: the columns.
   * @throws CommandError when the command fails before its first row
   */
  async run(
    words: readonly string[],
    fields?: string,
    { input = '', rows = [] }: { readonly input?: string; readonly rows?: AnswerRow[] } = {},
  ): Promise<PrintedRows> {
    const { server, signal, onProgress, openClient } = this.#parts;
    const stderrTexts: string[] = [];
    const tooMany = new AbortController();
    let frame: TableFrame = { period: null, total: null, emptyText: null };
    let rest = '';
    const onText = (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) rows.push(Object(JSON.parse(line)));
      if (rows.length > MOST_ROWS) tooMany.abort();
    };
    const { env, unfinished, fetch, clock, sleep } = server.io;
    const code = await server.runCommand(
      [...globalFlags(server), '--output=ndjson', ...(fields === undefined ? [] : [`--fields=${fields}`]), ...words],
      {
        ...{
          stdin: Readable.from(input === '' ? [] : [input]),
          stdout: sink(onText),
          stderr: sink((text) => stderrTexts.push(text)),
        },
        ...{ env, unfinished, fetch, clock: clock ?? server.clock, sleep, onProgress },
        signal: AbortSignal.any([signal, tooMany.signal]),
        onTable: (seen) => {
          frame = seen;
        },
      },
      server.service.lend(openClient),
    );
    if (tooMany.signal.aborted) {
      throw new CliError('USAGE', `There are more than ${MOST_ROWS} rows.`, {
        hint: 'Ask for less, such as a shorter period or fewer vehicles.',
      });
    }
    const lines = stderrTexts.join('').trimEnd().split('\n');
    const error = code === 0 || code === DIFFERENCES ? null : new CommandError(jsonOf(lines.pop()));
    if (error !== null && !(code === INCOMPLETE && rows.length > 0)) throw error;
    if (error !== null) {
      this.isIncomplete = true;
      this.context.report.warn(`incomplete: ${error.message} ${error.hint ?? ''}`);
    }
    for (const line of lines) if (line !== '') this.context.report.warn(line.replace(/^warning: /, ''));
    if (frame.emptyText !== null) this.context.report.remark(frame.emptyText);
    return { rows, ...frame };
  }

  /** Runs commands concurrently, so that their reads are combined into few requests. */
  runAll(commands: readonly (readonly [words: readonly string[], fields?: string])[]): Promise<readonly PrintedRows[]> {
    return Promise.all(commands.map(([words, fields]) => this.run(words, fields)));
  }
}

function jsonOf(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return { error: { message: line } };
  }
}

/** Returns the global flags of the server's start. */
function globalFlags({ globals, zone }: Context): readonly string[] {
  const { demo, timeout, user, profile, baseUrl, redis } = globals;
  const serverFlags = {
    ...{ user, profile, 'base-url': baseUrl, redis },
    timeout: timeout === undefined ? undefined : `${timeout}ms`,
    'time-zone': zone.isByFlag ? zone.name : undefined,
  };
  const flags = Object.entries(serverFlags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return [...(demo ? ['--demo'] : []), '--no-input', ...flags];
}

function sink(onText: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      onText(String(chunk));
      done();
    },
  });
}

/** stdout is reserved for the protocol. */
function silentStreams() {
  const silent = () => sink(() => undefined);
  return { stdin: Readable.from([]), stdout: silent(), stderr: silent() };
}
