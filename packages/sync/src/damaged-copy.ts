// What a sync says of a row of the copy that it cannot read back: something else than a sync has written it.
import { SyncTargetError } from 'fleet-telematics/kit';

/** @param what The value that cannot be read, and why, as `the record of 17 is no JSON object`. It must not contain the value. */
export function damagedCopy(table: string, what: string, hint: string): SyncTargetError {
  return new SyncTargetError(
    'FAILED',
    `The table ${table} of the copy is damaged: ${what}. What was written before is complete.`,
    hint,
  );
}
