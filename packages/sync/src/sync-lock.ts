// Keeps other syncs of the machine away from a copy in files.
import { acquireFreeLease, type Lease, leaseHolder, SyncTargetError } from 'fleet-telematics/kit';

/**
 * Takes the lock of a copy.
 * @throws {SyncTargetError} IN_USE when another sync has it; errors of the file system unchanged
 */
export async function takeSyncLock(
  path: string,
  name: string,
  another: 'another file' | 'another folder',
): Promise<Lease> {
  const holder = leaseHolder(path);
  const lease = await acquireFreeLease(path);
  if (lease !== null) return lease;
  const who = holder?.isHere === true && holder.pid !== null ? ` (process ${holder.pid})` : '';
  throw new SyncTargetError(
    'IN_USE',
    `Another sync${who} is writing to ${name}. This one has changed nothing.`,
    `Wait until it has ended, or write to ${another}.`,
  );
}
