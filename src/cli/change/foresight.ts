// What changes do beyond what they say: told before they are sent, and compared with what is there afterwards.
import type { ReportingRun } from '../context/context.js';
import type { CliError } from '../errors/cli-error.js';
import type { PlannedChange } from './record-change.js';

/** Why the records are not as they should be after all changes were made; null when they are. */
export type OutcomeCheck = () => Promise<CliError | null>;

export interface Foresight {
  /** All effects of all changes, for people. */
  readonly sentences: readonly string[];
  /** For programs: the effects of each change, when those before it have been made. */
  readonly effects: readonly (readonly PlannedChange[])[];
  readonly check: OutcomeCheck;
}

/** Called when every change was made; a failure to read what became of them is only a warning. @throws CliError the difference */
export async function compareOutcome(run: ReportingRun, check: OutcomeCheck): Promise<void> {
  let difference: CliError | null = null;
  try {
    difference = await check();
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    run.report.warn('The changes were made, but what became of the records could not be read.');
  }
  if (difference) throw difference;
}
