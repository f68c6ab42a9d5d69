// Common fields of seeded records with a version.
import { uuidFromName } from '../core/uuid.js';
import type { Versioned } from '../store/tables.js';

/** Returns the fields; the id derives from seed, fleet, kind of record and name. */
export function seededRecord(
  { seed, fleetId }: { readonly seed: number; readonly fleetId: string },
  kind: string,
  name: string | number,
  createdAt: number,
): Versioned {
  const id = uuidFromName(`${seed}/${fleetId}/${kind}/${name}`);
  return { id, version: 1, createdAt, updatedAt: createdAt, fleetId };
}
