// One call of a tool: runs command lines with the client of the server, and reads the JSON that
// they print.
import { Readable, Writable } from 'node:stream';
import type { FleetClient } from 'fleet-telematics';
import type { TableFrame } from 'fleet-telematics/kit/command';
import { CliError, type Context, DIFFERENCES, Report, serviceNow } from 'fleet-telematics/kit/command';

/** A row as a command prints it. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** Rows of one command: more would fill the memory, and nobody reads them. */
const MOST_ROWS = 20_000;

/** The exit code of a command that printed a part of its rows. */
const INCOMPLETE = 6;

export interface PrintedRows extends TableFrame {
  readonly rows: readonly AnswerRow[];
}

/** The failure of a command, as its line of JSON on stderr tells it. */
export class CommandError extends Error {
  readonly code: string;
  readonly hint: string | null;
  readonly choices: readonly unknown[];

  constructor(told: unknown) {
    const { code, message, hint, choices } = Object(Object(told).error);
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
  /** The context of the server with a report and a signal of this call, for what is no command. */
  readonly context: Context;
  /** Rows that have arrived so far, for an answer before the end. */
  readonly rows: AnswerRow[] = [];
  /** True when a command printed only a part of its rows. */
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

  /** Milliseconds since 1970, by the clock of the service. */
  get now(): number {
    return serviceNow(this.context);
  }

  /**
   * Runs a command and returns its rows. `words`: noun, verb and flags as `--name=value`, then `--`
   * before names that a person has typed. `fields`: the columns. `input`: the text on stdin.
   *
   * @throws CommandError when the command fails before its first row
   */
  async run(
    words: readonly string[],
    fields?: string,
    { input = '', rows = [] }: { readonly input?: string; readonly rows?: AnswerRow[] } = {},
  ): Promise<PrintedRows> {
    const { server, signal, onProgress, openClient } = this.#parts;
    const told: string[] = [];
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
          stderr: sink((text) => told.push(text)),
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
    const lines = told.join('').trimEnd().split('\n');
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

  /** Runs several commands at the same time: what they read becomes few requests. */
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

/** The choices that were made when the server started. */
function globalFlags({ globals, zone }: Context): readonly string[] {
  const { demo, timeout, user, profile, baseUrl, redis } = globals;
  const given = {
    ...{ user, profile, 'base-url': baseUrl, redis },
    timeout: timeout === undefined ? undefined : `${timeout}ms`,
    'time-zone': zone.isByFlag ? zone.name : undefined,
  };
  const flags = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
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

/** stdout belongs to the protocol. */
function silentStreams() {
  const silent = () => sink(() => undefined);
  return { stdin: Readable.from([]), stdout: silent(), stderr: silent() };
}
