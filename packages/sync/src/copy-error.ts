// Errors that all targets of a copy have in common.
import { SyncTargetError, type SyncTargetReason } from 'fleet-telematics/kit';

/** A problem of a target, before it becomes an error with its cause. */
export type Fault = readonly [reason: SyncTargetReason, message: string, hint: string];

export const RESUME_TEXT = 'What was written before is complete; run the sync again to go on.';

export function noSpaceFault(name: string, resumeText = RESUME_TEXT): Fault {
  return ['FULL', `There is no space left for ${name}. ${resumeText}`, 'Free some space first.'];
}

export function faultError([reason, message, hint]: Fault, cause: unknown): SyncTargetError {
  return new SyncTargetError(reason, message, hint, cause);
}

/**
 * Returns the error for a row of the copy that cannot be read back, because something else has
 * written it.
 *
 * @param what The unreadable value and the reason, as `the record of 17 is no JSON object`, without
 * the value itself.
 */
export function damagedCopy(table: string, what: string, hint: string): SyncTargetError {
  return new SyncTargetError(
    'FAILED',
    `The table ${table} of the copy is damaged: ${what}. What was written before is complete.`,
    hint,
  );
}
