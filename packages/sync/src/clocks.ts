// The present time, by two clocks of which either may be wrong, and by what vehicles report. A vehicle that counts as read up to a time that
// has not come yet loses the rows until then.
import { MAX_AHEAD_MS, timestampMs } from 'fleet-telematics/kit';
import { isOfPart } from './by-vehicle.js';
import type { SyncClient } from './parts.js';

/** Milliseconds since 1970. */
export interface Clocks {
  /** That of the machine when no answer shows another. */
  readonly service: number;
  readonly machine: number;
  /** Whether these are two clocks, and they agree. */
  readonly agree: boolean;
}

/** Clocks that differ by less count as the same. Each sync reads more than this again: the least of `lateMs` is ten minutes. */
export const CLOCK_SLACK_MS = 60_000;
/** Vehicles in one request for newest snapshots. */
const VEHICLES = 500;

export function clocksOf(fleet: SyncClient): Clocks {
  const { serviceMs: service, machineMs: machine, isKnown } = fleet.serviceClock();
  return { service, machine, agree: isKnown && Math.abs(service - machine) <= CLOCK_SLACK_MS };
}

/** A time that is later than this has not come, whichever clock is right. */
export function latestNow({ service, machine }: Clocks): number {
  return Math.max(service, machine) + CLOCK_SLACK_MS;
}

/** What both clocks have reached. */
export function earliestNow({ service, machine }: Clocks): number {
  return Math.min(service, machine);
}

/**
 * Up to which time a vehicle without newer rows counts as read: what both clocks have reached. If they contradict each other, one of them may
 * be ahead by chance with the other, and without the service's there is only one: then some vehicle must have reported at that time too.
 */
export async function vouchedTime(
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

/** Returns the time of the newest snapshot that is not after `latest`: a device whose clock is ahead is no witness. */
async function newestReport(
  fleet: SyncClient,
  vehicleIds: readonly string[],
  latest: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let newest = Number.NEGATIVE_INFINITY;
  try {
    for (let at = 0; at < vehicleIds.length; at += VEHICLES) {
      const some = vehicleIds.slice(at, at + VEHICLES);
      const select = { vehicleId: true, timestamp: true } as const;
      const rows = await fleet.getLatestSnapshots({ vehicleIds: some }, { select, priority: 'low', signal });
      for (const { timestamp } of rows) {
        const time = timestampMs(timestamp) ?? newest;
        if (time <= latest) newest = Math.max(newest, time);
      }
    }
  } catch (error) {
    // Then only the rows of each vehicle itself say how far it was read.
    if (!isOfPart(error)) throw error;
  }
  return newest;
}
