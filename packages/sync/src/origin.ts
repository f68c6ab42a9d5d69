// Binds a copy to its fleet. A sync with another fleet would mark all records as deleted.
import { createHash } from 'node:crypto';
import { SyncTargetError } from 'fleet-telematics/kit';
import type { SyncPlan } from './options.js';
import type { SyncClient } from './parts.js';
import type { OpenTarget } from './target.js';

export const ORIGIN = 'origin';

/**
 * Compares the client's service and user with those of the copy. `write` stores them for later
 * syncs; they must be written before any record.
 * @returns True when the copy belonged to another service or user until now.
 * @throws {SyncTargetError} OTHER_ORIGIN unless the plan has `adopt`.
 */
export async function checkOrigin(
  fleet: SyncClient,
  {
    target,
    name,
    write,
  }: { readonly target: Pick<OpenTarget, 'read'>; readonly name: string; readonly write?: OpenTarget['apply'] },
  { adopt, signal }: SyncPlan,
): Promise<boolean> {
  const own = originOf(await fleet.identity({ signal }));
  const state = await target.read('sync_state', ['name', 'value']);
  const storedOrigin = state.find(([key]) => key === ORIGIN)?.[1] ?? null;
  if (storedOrigin === own) return false;
  if (storedOrigin !== null && !adopt) throw refused(name, String(storedOrigin).split(' ')[0] === own.split(' ')[0]);
  await write?.({ steps: [{ kind: 'upsert', table: 'sync_state', rows: [[ORIGIN, own]] }], cursors: [] });
  return storedOrigin !== null;
}

/** Returns the service and user in the form that a copy stores. */
export function originOf({ baseUrl, user }: { readonly baseUrl: string; readonly user: string }): string {
  return `${fingerprint(baseUrl)} ${fingerprint(baseUrl, user)}`;
}

/** Hashed, because readers of the copy need not know the address of the service. */
function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

function refused(name: string, isSameService: boolean): SyncTargetError {
  const of = isSameService ? 'another user of this service' : 'another service, or of this one at another address';
  return new SyncTargetError(
    'OTHER_ORIGIN',
    `${name} is a copy of the fleet of ${of}. This sync would mark what is not in the present fleet as deleted. Nothing was changed.`,
    'Name another target, or select the user and the service of the copy. If the change is meant, set `adopt: true`.',
  );
}
