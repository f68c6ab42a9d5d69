// The flags that every command takes, before or after its name.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FormatName, formatNames } from '../output/format.js';
import { parseDuration } from '../parse/duration.js';

export interface Globals {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly user?: string;
  readonly output?: FormatName;
  /** Comma-separated, as written. */
  readonly fields?: string;
  /** Comma-separated, as written. */
  readonly sort?: string;
  /** Each as written. */
  readonly filter?: readonly string[];
  readonly limit?: number;
  readonly safeCsv?: true;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly verbose?: true;
  /** False under --no-input. */
  readonly input: boolean;
  readonly demo?: true;
  /** As written. */
  readonly demoTime?: string;
}

function timeout(text: string): number {
  const milliseconds = parseDuration(text, 's');
  if (milliseconds === null || milliseconds === 0) {
    throw new InvalidArgumentError('Write it as 500ms, 30s or 2m; a bare number is seconds.');
  }
  return milliseconds;
}

function again(value: string, before: unknown): readonly string[] {
  return [...(Array.isArray(before) ? before : []), text(value)];
}

function count(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)) || Number(value) === 0) {
    throw new InvalidArgumentError('Write a whole number of 1 or more.');
  }
  return Number(value);
}

function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}

export function addGlobals(program: Command): void {
  const add = (flags: string, description: string, parse?: (value: string, before: unknown) => unknown) => {
    const option = new Option(flags, description);
    if (parse) option.argParser(parse);
    program.addOption(option);
  };
  add('--profile <name>', 'settings kept under this name (FLEET_PROFILE)', text);
  add('--base-url <url>', 'address of the service (FLEET_BASE_URL)', text);
  add('--user <user>', 'userId, userName, fleetName or fleet:<fleetId> to act for (FLEET_USER)', text);
  program.addOption(
    new Option('-o, --output <format>', 'how to print: table on a terminal, tsv in a pipe (FLEET_OUTPUT)').choices(
      formatNames,
    ),
  );
  add('--fields <names>', 'fields to show, such as id,name,lastData.gps.speed', text);
  add('--sort <names>', 'order of a list; -name turns it round', text);
  add('--filter <key=value>', 'rows to keep; also != ~ < > <= >=; again for the next condition', again);
  add('--limit <count>', 'show at most so many rows', count);
  add('--safe-csv', 'in csv, put a quote before cells that a spreadsheet would run as a formula');
  add('--timeout <duration>', 'time for each call, such as 500ms, 30s or 2m', timeout);
  add('--verbose', 'say each request on stderr');
  add('--no-input', 'never ask; fail instead');
  add('--demo', 'use a service inside this process; no account needed');
  add('--demo-time <time>', 'with --demo: what time it is; the clock stands still, except under --watch', text);
}

/** Whether errors are to be JSON. Looks at the words themselves, because the error may be that they cannot be parsed. */
export function wantsJsonErrors(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): boolean {
  let output = env.FLEET_OUTPUT;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '-o' || word === '--output') output = argv[index + 1];
    else if (word.startsWith('--output=')) output = word.slice('--output='.length);
    else if (/^-o./.test(word)) output = word.slice(2);
  }
  return output === 'json' || output === 'ndjson';
}
