// Defines the flags that every changing command takes.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { inputFormats } from '../input/input-format.js';
import { wholeBetween } from '../parse/whole-number.js';
import type { MaxFailures } from './plan.js';

export interface ChangeFlags {
  readonly input?: string;
  readonly dryRun?: true;
  readonly maxFailures?: MaxFailures;
  readonly yes?: true;
}

/** The flag of every command that changes something. */
export const yesFlag = [
  '-y, --yes',
  'do not ask; required without a terminal to delete or end something, or to change several records',
] as const;

/** `input`: the change can be given as an object. `several`: it can be about several records. */
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

export function addInputFormat(command: Command): void {
  command.addOption(
    new Option('--input-format <format>', 'its format; default: by the name of the file, else json').choices(
      inputFormats,
    ),
  );
  command.option('--ignore-columns', 'leave out columns of a table that no list prints and no change takes');
}
