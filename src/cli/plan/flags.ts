// Defines the flags of commands that change records.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type InputFormat, inputFormats } from '../input/input-format.js';
import { wholeBetween } from '../parse/whole-number.js';
import type { MaxFailures } from './plan.js';

export interface ChangeFlags {
  readonly input?: string;
  readonly dryRun?: true;
  readonly maxFailures?: MaxFailures;
  readonly yes?: true;
}

export const yesFlag = [
  '-y, --yes',
  'do not ask; required without a terminal to delete or end something, or to change several records',
] as const;

/** Adds the flags of a change: --input, and --max-failures for several records. */
export function addChangeFlags(
  command: Command,
  { input = true, several = false }: { readonly input?: boolean; readonly several?: boolean } = {},
): void {
  if (input)
    command.option('--input <file>', 'the change as one JSON object (- for stdin); flags win over its members');
  command.option('--dry-run', 'print what would change, old and new values; exit code 10 when something would');
  command.option(...yesFlag);
  if (several) addMaxFailures(command);
}

export function addMaxFailures(command: Command): void {
  command.option(
    '--max-failures <count>',
    'stop after this many failures in a row (default: 5); none never stops',
    maxFailures,
  );
}

function maxFailures(text: string): MaxFailures {
  if (text === 'none') return text;
  try {
    return wholeBetween(1, Number.MAX_SAFE_INTEGER)(text);
  } catch {
    throw new InvalidArgumentError('Write a whole number from 1, or none to send all changes.');
  }
}

function addInputFormat(command: Command): void {
  command.addOption(
    new Option('--input-format <format>', 'its format; default: by the name of the file, else json').choices(
      inputFormats,
    ),
  );
  command.option('--ignore-columns', 'ignore columns of a table that are no input and that no list prints');
}

export interface ApplyFlags {
  readonly inputFormat?: InputFormat;
  readonly ignoreColumns?: true;
  readonly prune?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly maxFailures?: MaxFailures;
  readonly failed?: string;
}

/** Adds the flags of `apply`. `prune`: the text of --prune; null when nothing can be deleted. */
export function addApplyFlags(command: Command, prune: string | null): void {
  addInputFormat(command);
  if (prune !== null) command.option('--prune', `${prune}; with --dry-run it only reports them`);
  command
    .option('--dry-run', 'print the plan and change nothing; exit code 10 when something differs')
    .option(...yesFlag)
    .option('--failed <file>', 'write the lines of the file that were not done to this file');
  addMaxFailures(command);
}

/** The end of the help texts of `apply` commands. */
export const planHelp = `Plans:
- The plan marks records: + created, ~ changed, - deleted, = unchanged.
- Members that are not in the file stay unchanged.
- Running the command again changes nothing.`;

/** Returns a remark with the number of records to prune; none when nobody reads the plan. */
export function pruneRemarks(
  { yes, dryRun }: Pick<ApplyFlags, 'yes' | 'dryRun'>,
  count: number,
  { noun, plural }: { readonly noun: string; readonly plural: string },
  verb = 'delete',
): readonly string[] {
  if (count === 0 || (yes && !dryRun)) return [];
  const [what, them] =
    count === 1 ? [`1 ${noun} of the service is`, 'it'] : [`${count} ${plural} of the service are`, 'them'];
  return [`${what} not in the file; --prune would ${verb} ${them}.`];
}
