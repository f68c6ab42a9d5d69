// Who reads which vehicles. A service answers one request of a user at a time, so several users of a login read side by side. Each is asked only
// about vehicles of its own list: for one that it does not see, a service would answer no rows, and they would be taken for withdrawn.
import { idOf, isDeleted } from './compare-records.js';
import type { SyncClient } from './parts.js';
import type { VehicleFrom } from './periods.js';

/** A user of the login. */
export interface Reader {
  readonly fleet: SyncClient;
  /** Ids of the vehicles that it sees, in lower case; null for the user whose fleet the copy is. */
  readonly sees: ReadonlySet<string> | null;
}

/** What one user reads. */
export interface Share {
  readonly fleet: SyncClient;
  readonly vehicles: readonly VehicleFrom[];
}

/** The user of the client, and the others with their lists of vehicles. Rejects when one of these lists cannot be read. */
export async function readersOf(
  fleet: SyncClient,
  others: readonly SyncClient[],
  signal: AbortSignal | undefined,
): Promise<readonly Reader[]> {
  const asked = others.map(async (own): Promise<Reader> => {
    const vehicles = await own.getVehicles({}, { select: { id: true, isDeleted: true }, priority: 'low', signal });
    const ids = vehicles.flatMap((vehicle) => (isDeleted(vehicle) ? [] : (idOf(vehicle)?.toLowerCase() ?? [])));
    return { fleet: own, sees: new Set(ids) };
  });
  return [{ fleet, sees: null }, ...(await Promise.all(asked))];
}

/** Gives each vehicle to a user that sees it, to the one that has the fewest. */
export function sharesOf(vehicles: readonly VehicleFrom[], readers: readonly Reader[]): readonly Share[] {
  const shares = readers.map(({ fleet, sees }) => ({ fleet, sees, vehicles: [] as VehicleFrom[] }));
  // Those that few users see first, so that the rest can make up for them.
  const seenBy = ({ vehicleId }: VehicleFrom) =>
    shares.filter(({ sees }) => sees === null || sees.has(vehicleId.toLowerCase()));
  const given = vehicles.map((vehicle) => ({ vehicle, candidates: seenBy(vehicle) }));
  for (const { vehicle, candidates } of given.toSorted((one, other) => one.candidates.length - other.candidates.length))
    candidates
      .reduce((one, other) => (other.vehicles.length < one.vehicles.length ? other : one))
      .vehicles.push(vehicle);
  return shares.filter((share) => share.vehicles.length > 0);
}

/** Runs `read` for all shares at once. When one of them fails, the others are ended; then it rejects with the first error. */
export async function sideBySide(
  shares: readonly Share[],
  signal: AbortSignal | undefined,
  read: (share: Share, signal: AbortSignal | undefined) => Promise<void>,
): Promise<void> {
  const [only, ...more] = shares;
  if (only !== undefined && more.length === 0) return read(only, signal);
  const failed = new AbortController();
  const own = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const errors: unknown[] = [];
  const reading = shares.map(async (share) => {
    try {
      await read(share, own);
    } catch (error) {
      errors.push(error);
      failed.abort();
    }
  });
  await Promise.all(reading);
  if (errors.length > 0) throw errors[0];
}
