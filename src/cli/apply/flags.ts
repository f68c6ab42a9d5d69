// The flags of the commands that make the records of the service those of a file.
import type { Command } from 'commander';
import { addInputFormat } from '../change/flags.js';
import type { InputFormat } from '../change/input-format.js';

export interface ApplyFlags {
  readonly inputFormat?: InputFormat;
  readonly ignoreColumns?: true;
  readonly prune?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly failFast?: true;
  readonly failed?: string;
}

/** `prune` says what the flag deletes. */
export function addApplyFlags(command: Command, prune: string): void {
  addInputFormat(command);
  command
    .option('--prune', prune)
    .option('--dry-run', 'print the plan and change nothing')
    .option('-y, --yes', 'do not ask; required without a terminal')
    .option('--fail-fast', 'stop at the first change that fails')
    .option('--failed <file>', 'write the lines of the file that were not done to this file');
}

/** The end of the help texts. */
export const planHelp =
  'Plan: + created, ~ changed, - deleted, = kept as it is. What the file does not say of a record stays\nunchanged. Run again, the command changes nothing.';
