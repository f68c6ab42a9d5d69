// Defines the flags that every changing command takes.
import { type Command, Option } from 'commander';
import { type InputFormat, inputFormats } from './input-format.js';

export interface ChangeFlags {
  readonly input?: string;
  readonly inputFormat?: InputFormat;
  readonly ignoreColumns?: true;
  readonly skeleton?: true;
  readonly dryRun?: true;
  readonly failFast?: true;
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
  command.option('--fail-fast', 'stop at the first of several changes that fails');
  command.option(
    '--failed <file>',
    'write the changes that were not done to this file, to give as --input again; not those with unknown outcome',
  );
}

export function addInputFormat(command: Command): void {
  command.addOption(
    new Option('--input-format <format>', 'its format; default: by the name of the file, else json').choices(
      inputFormats,
    ),
  );
  command.option('--ignore-columns', 'leave out columns of a table that no list prints and no change takes');
}
