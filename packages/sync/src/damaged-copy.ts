// The error for a row of the copy that cannot be read back, because something else has written it.
import { SyncTargetError } from 'fleet-telematics/kit';

/**
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
