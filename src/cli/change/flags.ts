// Defines the flags that every changing command takes.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeBetween } from '../parse/whole-number.js';
import { type InputFormat, inputFormats } from './input-format.js';
import type { MaxFailures } from './plan.js';

export interface ChangeFlags {
  readonly input?: string;
  readonly inputFormat?: InputFormat;
  readonly ignoreColumns?: true;
  readonly skeleton?: true;
  readonly dryRun?: true;
  readonly maxFailures?: MaxFailures;
  readonly failed?: string;
  readonly yes?: true;
}

/** The flag of every command that changes something. */
export const yesFlag = [
  '-y, --yes',
  'do not ask; required without a terminal to delete or end something, or to change several records',
] as const;

/** `takesInput`: the operation has an input object. */
export function addChangeFlags(command: Command, { takesInput }: { readonly takesInput: boolean }): void {
  const content = takesInput
    ? 'the inputs: a table (csv, xlsx, tsv) with the names of --skeleton, JSON, one JSON per line, or YAML'
    : 'the ids: a table (csv, xlsx, tsv) with a column "id", JSON, one JSON per line, or YAML';
  command.option('--input <file>', `${content} (- for stdin)`);
  addInputFormat(command);
  if (takesInput)
    command.option('--skeleton', 'print an empty input and send nothing; delete the members you do not need');
  command.option('--dry-run', 'print what would change, old and new values; exit code 10 when something would');
  command.option(...yesFlag);
  addMaxFailures(command);
  command.option(
    '--failed <file>',
    'write the changes that were not done to this file, to give as --input again; not those with unknown outcome',
  );
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

export function addInputFormat(command: Command): void {
  command.addOption(
    new Option('--input-format <format>', 'its format; default: by the name of the file, else json').choices(
      inputFormats,
    ),
  );
  command.option('--ignore-columns', 'leave out columns of a table that no list prints and no change takes');
}
