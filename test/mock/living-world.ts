// The statuses of a fleet at a time, by a client and by the telemetry.
import { FleetClient, type LiveStatus, liveStatus } from '../../src/index.js';
import { createMockService } from '../../src/mock/service.js';
import type { VehicleRecord } from '../../src/mock/store/tables.js';
import { telemetryVehicleOf } from '../../src/mock/store/telemetry-vehicle.js';
import {
  GeneratedTelemetry,
  type Telemetry,
  type TelemetryRow,
  type TripTruth,
} from '../../src/mock/telemetry/telemetry.js';
import { recordsOf } from '../records-of.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The demo fleet of a seed, without its service. */
export interface Fleet {
  readonly vehicles: readonly VehicleRecord[];
  readonly telemetry: Telemetry;
}

export function fleetOf(seed = 1, size = 25): Fleet {
  const { vehicles } = recordsOf(createMockService({ seed, vehicles: size }));
  return { vehicles, telemetry: new GeneratedTelemetry(seed) };
}

export const isInUse = ({ deactivated, deviceIds }: VehicleRecord): boolean => !deactivated && deviceIds.length > 0;

export function latestSnapshot({ telemetry }: Fleet, vehicle: VehicleRecord, at: number): TelemetryRow | null {
  return telemetry.latest(telemetryVehicleOf(vehicle), at);
}

export function tripsBetween({ telemetry }: Fleet, vehicle: VehicleRecord, from: number, to: number): TripTruth[] {
  return [...telemetry.trips(telemetryVehicleOf(vehicle), from, to)];
}

export function drivesBetween({ telemetry }: Fleet, vehicle: VehicleRecord, from: number, to: number): boolean {
  for (const _ of telemetry.trips(telemetryVehicleOf(vehicle), from, to)) return true;
  return false;
}

export interface StatusCounts {
  readonly moving: number;
  readonly idling: number;
  readonly parked: number;
  readonly offline: number;
  readonly unknown: number;
  /** Devices in use that have been silent for one to four days. */
  readonly silent: number;
}

function countStatuses(rows: readonly { status: LiveStatus; silentMs: number | null }[]): StatusCounts {
  const count = (...statuses: readonly LiveStatus[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  return {
    moving: count('moving'),
    idling: count('idling'),
    // A vehicle with a sleeping device is parked.
    parked: count('stopped', 'stale'),
    offline: count('offline'),
    unknown: count('unknown'),
    silent: rows.filter(({ silentMs }) => silentMs !== null && silentMs >= day && silentMs <= 4 * day).length,
  };
}

export function statusCountsAt(fleet: Fleet, at: number): StatusCounts {
  return countStatuses(
    fleet.vehicles.map((vehicle) => {
      const row = latestSnapshot(fleet, vehicle, at);
      return {
        status: liveStatus(row, { now: at }),
        silentMs: row !== null && isInUse(vehicle) ? at - row.timestamp : null,
      };
    }),
  );
}

/** Returns the statuses of the default fleet as a client of the service sees them. */
export function statusCountsByClient(): (time: number) => Promise<StatusCounts> {
  let now = Date.UTC(2026, 0, 1);
  const service = createMockService({ clock: { now: () => now } });
  const client = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
  });
  return async (time) => {
    now = time;
    const vehicles = await client.getVehicles();
    return countStatuses(
      vehicles.map(({ deactivated, lastData }) => ({
        status: liveStatus(lastData, { now }),
        silentMs: lastData && !deactivated ? now - Number(new Date(lastData.timestamp ?? 0)) : null,
      })),
    );
  };
}
