/** What the fleet of a service is doing at a moment, as a client sees it and as the telemetry knows it. */
import { FleetClient, type LiveStatus, liveStatus } from '../../src/index.js';
import { telemetryOf } from '../../src/mock/graphql/context.js';
import { createMockService } from '../../src/mock/service.js';
import type { VehicleRecord } from '../../src/mock/store/records.js';
import { createTelemetry, type SnapshotRow, type Telemetry } from '../../src/mock/telemetry/telemetry.js';
import { fleetIdOf } from '../../src/mock/world/users.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The demo fleet of a seed, without a service around it. */
export interface Fleet {
  readonly vehicles: readonly VehicleRecord[];
  readonly telemetry: Telemetry;
}

export function fleetOf(seed = 1, size = 25): Fleet {
  const service = createMockService({ seed, vehicles: size });
  return {
    vehicles: [...service.store.fleet(fleetIdOf(seed, 'Demo Fleet')).vehicles.values()],
    telemetry: createTelemetry(seed),
  };
}

/** In use, and with a device. */
export const inUse = ({ deactivated, deviceIds }: VehicleRecord): boolean => !deactivated && deviceIds.length > 0;

export function newest({ telemetry }: Fleet, vehicle: VehicleRecord, at: number): SnapshotRow | null {
  return telemetry.latest(telemetryOf(vehicle), at);
}

/** Whether the vehicle has a trip in the period. */
export function drives({ telemetry }: Fleet, vehicle: VehicleRecord, from: number, to: number): boolean {
  for (const _ of telemetry.trips(telemetryOf(vehicle), from, to)) return true;
  return false;
}

export interface Counts {
  readonly moving: number;
  readonly idle: number;
  readonly parked: number;
  readonly offline: number;
  readonly unknown: number;
  /** In use, with a device that has been silent for one to four days. */
  readonly silent: number;
}

function count(rows: readonly { status: LiveStatus; silentMs: number | null }[]): Counts {
  const of = (...wanted: readonly LiveStatus[]) => rows.filter(({ status }) => wanted.includes(status)).length;
  return {
    moving: of('moving'),
    idle: of('idling'),
    // A device that sleeps is in a vehicle that stands.
    parked: of('stopped', 'stale'),
    offline: of('offline'),
    unknown: of('unknown'),
    silent: rows.filter(({ silentMs }) => silentMs !== null && silentMs >= day && silentMs <= 4 * day).length,
  };
}

export function countsAt(fleet: Fleet, at: number): Counts {
  return count(
    fleet.vehicles.map((vehicle) => {
      const row = newest(fleet, vehicle, at);
      return {
        status: liveStatus(row, { now: at }),
        silentMs: row !== null && inUse(vehicle) ? at - row.timestamp : null,
      };
    }),
  );
}

/** A service on a clock of its own, and its default fleet through a client. */
export function watchedService() {
  let now = Date.UTC(2026, 0, 1);
  const service = createMockService({ clock: { now: () => now } });
  const client = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
  });
  return {
    async at(time: number): Promise<Counts> {
      now = time;
      const vehicles = await client.getVehicles();
      return count(
        vehicles.map(({ deactivated, lastData }) => ({
          status: liveStatus(lastData, { now }),
          silentMs: lastData && !deactivated ? now - Number(new Date(lastData.timestamp ?? 0)) : null,
        })),
      );
    },
  };
}
