// Defines the flags that every command takes, before or after its name.
import { Command, InvalidArgumentError, Option } from 'commander';
import { refusal } from '../errors/cli-error.js';
import { insteadOfGlobal, pathOf, usesGlobal } from '../help/global-use.js';
import type { Env } from '../io/child-env.js';
import { formatNames, isFormatName, traitsOf } from '../output/formats.js';
import { parseDuration } from '../parse/duration.js';

function timeout(text: string): number {
  const milliseconds = parseDuration(text, 's');
  if (milliseconds === null || milliseconds === 0) {
    throw new InvalidArgumentError('Write it as 500ms, 30s or 2m; a number without a unit is seconds.');
  }
  return milliseconds;
}

function repeatedText(value: string, previous: unknown): readonly string[] {
  return [...(Array.isArray(previous) ? previous : []), text(value)];
}

function positiveInteger(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)) || Number(value) === 0) {
    throw new InvalidArgumentError('Write a whole number of 1 or more.');
  }
  return Number(value);
}

function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}

/** `lenient` accepts any value. In `incomplete` values are optional, and flags are no values. */
type ParsingMode = 'strict' | 'lenient' | 'incomplete';

export function addGlobals(program: Command, reading: ParsingMode = 'strict'): void {
  const isStrict = reading === 'strict';
  const add = (flags: string, description: string, parse?: (value: string, previous: unknown) => unknown) => {
    const option = new Option(
      reading === 'incomplete' ? flags.replace('<', '[').replace('>', ']') : flags,
      description,
    );
    if (parse && isStrict) option.argParser(parse);
    program.addOption(option);
  };
  add('--profile <name>', 'use the settings saved under this name (FLEET_PROFILE)', text);
  add('--base-url <url>', 'address of the service (FLEET_BASE_URL)', text);
  add(
    '--redis <url>',
    'share the session, and take turns with other machines, through this Redis (FLEET_REDIS_URL)',
    text,
  );
  add('--user <user>', 'user to act for: userId, userName, fleetName or fleet:<fleetId> (FLEET_USER)', text);
  const output = new Option(
    reading === 'incomplete' ? '-o, --output [format]' : '-o, --output <format>',
    'output format; default: table on a terminal, tsv in a pipe (FLEET_OUTPUT)',
  );
  program.addOption(isStrict ? output.choices(formatNames) : output);
  add(
    '--output-file <file>',
    'write to this file when the output is complete; its extension sets the format: .xlsx, .csv, .html',
    text,
  );
  add('--fields <names>', 'fields to show, such as id,name,lastData.gps.speed', text);
  add('--sort <names>', 'sort a list by these fields; -name sorts in descending order', text);
  add(
    '--filter <key=value>',
    'show only matching rows, such as "status=moving|idling"; also != ~ < > <= >=; repeat for more',
    repeatedText,
  );
  add('--jq <expression>', 'apply this jq expression to the JSON of the result, such as ".[].name"', text);
  add('--limit <count>', 'show at most this many rows', positiveInteger);
  add('--wide', 'in a table on a terminal, show ids and every column, and shorten nothing');
  add(
    '--time-zone <zone>',
    'show and read times in this zone, such as Europe/Tallinn (FLEET_TIME_ZONE, but csv follows only the flag)',
    text,
  );
  add('--safe-csv', 'in csv, put a quote before cells that a spreadsheet would run as a formula');
  add('--no-headers', 'leave out the header line of table, csv and tsv');
  add('--no-color', 'print no colours (NO_COLOR; FORCE_COLOR for colours in a pipe)');
  add('--no-pager', 'do not page long output on a terminal (FLEET_PAGER, else PAGER, else less)');
  add('--quiet', 'print nothing on stderr but errors: no summary, no warnings, no progress');
  add('--timeout <duration>', 'time limit for each call, such as 500ms, 30s or 2m', timeout);
  add('--verbose', 'report each request on stderr');
  add('--no-input', 'never prompt; fail instead');
  add('--demo', 'use a demo service inside this process; no account needed');
  add('--demo-time <time>', 'with --demo: set the current time; the clock stands still', text);
}

/** @throws CliError USAGE for a typed flag that would have no effect on the command */
export function refuseUnusedGlobals(program: Command, called: Command): void {
  const unused = program.options.find((option) => {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli' || usesGlobal(called, name)) return false;
    // JSON output also applies to the errors of every command.
    return name !== 'output' || !reportingFlagsOf(program.opts(), {}).json;
  });
  if (unused === undefined || called.name().startsWith('__')) return;
  throw refusal(`${unused.long} has no effect on \`fleet ${pathOf(called)}\`.`, {
    hint: `Leave it out. ${insteadOfGlobal(called) ?? ''}`.trimEnd(),
  });
}

export interface ReportingFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/**
 * Returns the reporting flags of rejected words, so that the error has the requested form. After a
 * parse error a flag may stand where a value is missing.
 */
export function readReportingFlags(words: readonly string[], env: Env, isParseError: boolean): ReportingFlags {
  const reader = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  addGlobals(reader, isParseError ? 'incomplete' : 'lenient');
  try {
    reader.parseOptions([...words]);
  } catch {
    // The last option has no value; the options before it have been read.
  }
  return reportingFlagsOf(reader.opts(), env);
}

/** Returns the reporting flags of parsed options. */
export function reportingFlagsOf(parsed: object, env: Env): ReportingFlags {
  const { output = env.FLEET_OUTPUT, quiet, verbose, color }: Readonly<Record<string, unknown>> = { ...parsed };
  const json = typeof output === 'string' && isFormatName(output) && traitsOf(output).jsonIndent !== null;
  return { json, quiet: quiet === true, verbose: verbose === true, color: color !== false };
}
