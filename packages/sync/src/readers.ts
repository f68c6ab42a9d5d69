// Shares the vehicles among users. A service answers one request of a user at a time, so users read
// in parallel. Each reads only vehicles of its own list: for others a service would return no rows,
// and the rows of the copy would count as withdrawn.
import { idOf, isDeleted } from './compare-records.js';
import type { SyncClient } from './parts.js';
import type { VehicleFrom } from './periods.js';

export interface UserReader {
  readonly fleet: SyncClient;
  /** Visible vehicles in lower case; null for the copy's user. */
  readonly visibleIds: ReadonlySet<string> | null;
}

export interface Share {
  readonly fleet: SyncClient;
  readonly vehicles: readonly VehicleFrom[];
}

/** Returns the client's user and the others with their vehicles. Rejects if a list fails. */
export async function readersOf(
  fleet: SyncClient,
  others: readonly SyncClient[],
  signal: AbortSignal | undefined,
): Promise<readonly UserReader[]> {
  const otherReaders = others.map(async (own): Promise<UserReader> => {
    const vehicles = await own.getVehicles({}, { select: { id: true, isDeleted: true }, priority: 'low', signal });
    const ids = vehicles.flatMap((vehicle) => (isDeleted(vehicle) ? [] : (idOf(vehicle)?.toLowerCase() ?? [])));
    return { fleet: own, visibleIds: new Set(ids) };
  });
  return [{ fleet, visibleIds: null }, ...(await Promise.all(otherReaders))];
}

/** Assigns each vehicle to the user with the fewest vehicles among those that see it. */
export function sharesOf(vehicles: readonly VehicleFrom[], readers: readonly UserReader[]): readonly Share[] {
  const shares = readers.map(({ fleet, visibleIds }) => ({ fleet, visibleIds, vehicles: [] as VehicleFrom[] }));
  // Vehicles that few users see come first; the rest then evens out the shares.
  const seenBy = ({ vehicleId }: VehicleFrom) =>
    shares.filter(({ visibleIds }) => visibleIds === null || visibleIds.has(vehicleId.toLowerCase()));
  const withCandidates = vehicles.map((vehicle) => ({ vehicle, candidates: seenBy(vehicle) }));
  for (const { vehicle, candidates } of withCandidates.toSorted(
    (one, other) => one.candidates.length - other.candidates.length,
  ))
    candidates
      .reduce((one, other) => (other.vehicles.length < one.vehicles.length ? other : one))
      .vehicles.push(vehicle);
  return shares.filter((share) => share.vehicles.length > 0);
}

/** Runs `read` for all shares in parallel. The first error ends the others and is thrown. */
export async function readInParallel(
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
