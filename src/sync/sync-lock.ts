// Keeps other syncs of the machine away from a copy in files.
import { SyncTargetError } from '../core/errors.js';
import { acquireLease, type Lease, leaseHolder } from '../locks/lease.js';

/** The lease is free, or its holder is gone; only another sync that begins at the same moment can take it first. */
const LEASE_MS = 1000;

/** @throws {SyncTargetError} IN_USE; errors of the file system as they are. */
export async function takeSyncLock(
  path: string,
  name: string,
  another: 'another file' | 'another folder',
): Promise<Lease> {
  const holder = leaseHolder(path);
  const inUse = () => {
    const who = holder?.isHere === true && holder.pid !== null ? ` (process ${holder.pid})` : '';
    return new SyncTargetError(
      'IN_USE',
      `Another sync${who} is writing to ${name}. This one has changed nothing.`,
      `Wait until it has ended, or write to ${another}.`,
    );
  };
  if (holder !== null && !holder.isGone) throw inUse();
  try {
    return await acquireLease(path, { signal: AbortSignal.timeout(LEASE_MS) });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw inUse();
    throw error;
  }
}
