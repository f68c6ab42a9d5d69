// The flags of the commands that make the records of the service those of a file.
import type { Command } from 'commander';
import type { InputFormat } from '../input/input-format.js';
import { addInputFormat, addMaxFailures, yesFlag } from './flags.js';
import type { MaxFailures } from './plan.js';

export interface ApplyFlags {
  readonly inputFormat?: InputFormat;
  readonly ignoreColumns?: true;
  readonly prune?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly maxFailures?: MaxFailures;
  readonly failed?: string;
}

/** `prune` says what the flag deletes; null when nothing can be deleted. */
export function addApplyFlags(command: Command, prune: string | null): void {
  addInputFormat(command);
  if (prune !== null) command.option('--prune', `${prune}; with --dry-run it only reports them`);
  command
    .option('--dry-run', 'print the plan and change nothing; exit code 10 when something differs')
    .option(...yesFlag)
    .option('--failed <file>', 'write the lines of the file that were not done to this file');
  addMaxFailures(command);
}

/** The end of the help texts. */
export const planHelp =
  'Plan: + created, ~ changed, - deleted, = kept as it is. What the file does not say of a record stays\nunchanged. Run again, the command changes nothing.';

/**
 * The remark that records of the service are missing in the file, which a plan without --prune is silent about. None under --yes: nobody
 * looks at the plan then.
 */
export function leftAlone(
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
