// Defines the flags that every changing command takes.
import type { Command } from 'commander';

export interface ChangeFlags {
  readonly input?: string;
  readonly skeleton?: true;
  readonly dryRun?: true;
  readonly failFast?: true;
  readonly failed?: string;
  readonly yes?: true;
}

/** `takesInput`: the operation has an input object. `confirms`: the change cannot be undone. */
export function addChangeFlags(
  command: Command,
  { takesInput, confirms }: { readonly takesInput: boolean; readonly confirms: boolean },
): void {
  const content = takesInput
    ? 'the input as JSON; several as an array or one per line'
    : 'the ids as JSON; several as an array or one per line';
  command.option('--input <file>', `${content} (- for stdin)`);
  if (takesInput)
    command.option('--skeleton', 'print an empty input and send nothing; delete the members you do not need');
  command.option('--dry-run', 'print what would be sent; names are looked up, nothing is changed');
  if (confirms) command.option('-y, --yes', 'do not ask for confirmation; required without a terminal');
  command.option('--fail-fast', 'stop at the first of several changes that fails');
  command.option(
    '--failed <file>',
    'write the changes that were not done to this file, to give as --input again; not those with unknown outcome',
  );
}
