// The present time by two clocks, either of which may be wrong, and by reports of vehicles. If a
// vehicle counts as read up to a future time, the copy loses the rows until then.
import { MAX_AHEAD_MS, timestampMs } from 'fleet-telematics/kit';
import { isPartFailure } from './by-vehicle.js';
import type { SyncClient } from './parts.js';

/** In milliseconds since 1970. */
export interface Clocks {
  /** The machine's time when the service's is unknown. */
  readonly service: number;
  readonly machine: number;
  /** True when there are two clocks and they agree. */
  readonly agree: boolean;
}

/** Smaller differences are ignored. Each sync rereads more: `lateMs` is at least ten minutes. */
export const CLOCK_SLACK_MS = 60_000;
const VEHICLES_PER_REQUEST = 500;

export function readClocks(fleet: SyncClient): Clocks {
  const { serviceMs: service, machineMs: machine, isKnown } = fleet.serviceClock();
  return { service, machine, agree: isKnown && Math.abs(service - machine) <= CLOCK_SLACK_MS };
}

/** Returns the limit after which a time is in the future by either clock. */
export function latestNow({ service, machine }: Clocks): number {
  return Math.max(service, machine) + CLOCK_SLACK_MS;
}

export function earliestNow({ service, machine }: Clocks): number {
  return Math.min(service, machine);
}

/**
 * Returns the time up to which a vehicle without newer rows counts as read. If the clocks agree, it
 * is the time that both have reached. Otherwise one may be ahead, or there is only one: then some
 * vehicle must have reported at that time too.
 */
export async function confirmedTime(
  fleet: SyncClient,
  clocks: Clocks,
  vehicleIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const both = earliestNow(clocks);
  const latest = latestNow(clocks) + MAX_AHEAD_MS;
  const reached = clocks.agree ? both : Math.min(both, await newestReport(fleet, vehicleIds, latest, signal));
  return reached + CLOCK_SLACK_MS;
}

/** Returns the newest snapshot time up to `latest`. A device clock that is ahead proves nothing. */
async function newestReport(
  fleet: SyncClient,
  vehicleIds: readonly string[],
  latest: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let newest = Number.NEGATIVE_INFINITY;
  try {
    for (let at = 0; at < vehicleIds.length; at += VEHICLES_PER_REQUEST) {
      const some = vehicleIds.slice(at, at + VEHICLES_PER_REQUEST);
      const select = { vehicleId: true, timestamp: true } as const;
      const rows = await fleet.getLatestSnapshots({ vehicleIds: some }, { select, priority: 'low', signal });
      for (const { timestamp } of rows) {
        const time = timestampMs(timestamp) ?? newest;
        if (time <= latest) newest = Math.max(newest, time);
      }
    }
  } catch (error) {
    // Then only the rows of each vehicle show how far it was read.
    if (!isPartFailure(error)) throw error;
  }
  return newest;
}
