// The fields that every seeded record with a version starts with.
import { uuidFromName } from '../core/uuid.js';
import type { Versioned } from '../store/tables.js';

/** The id follows from the seed, the fleet, the kind of record and its name. */
export function seededRecord(
  { seed, fleetId }: { readonly seed: number; readonly fleetId: string },
  kind: string,
  name: string | number,
  createdAt: number,
): Versioned {
  const id = uuidFromName(`${seed}/${fleetId}/${kind}/${name}`);
  return { id, version: 1, createdAt, updatedAt: createdAt, fleetId };
}
