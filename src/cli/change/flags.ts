// The flags that every changing command takes.
import type { Command } from 'commander';

export interface ChangeFlags {
  readonly input?: string;
  readonly skeleton?: true;
  readonly dryRun?: true;
  readonly failFast?: true;
  readonly failed?: string;
  readonly yes?: true;
}

/** `input`: the operation takes an input object. `asks`: the change cannot be taken back. */
export function addChangeFlags(
  command: Command,
  { input, asks }: { readonly input: boolean; readonly asks: boolean },
): void {
  const lines = input
    ? 'the input as JSON; many as an array or one per line'
    : 'the ids as JSON; many as an array or one per line';
  command.option('--input <file>', `${lines} (- for stdin)`);
  if (input)
    command.option('--skeleton', 'print an empty input and send nothing; take out of it what is not to be said');
  command.option('--dry-run', 'print what would be sent; names are looked up, nothing is changed');
  if (asks) command.option('-y, --yes', 'do not ask; needed where nobody can be asked');
  command.option('--fail-fast', 'of many, stop at the first that fails');
  command.option(
    '--failed <file>',
    'of many, write those that were not done to this file, to be given as --input again; not those of unknown outcome',
  );
}
