/**
 * The telemetry of the reference service: what every vehicle did at any time, as a pure function of seed, vehicle and
 * time. Nothing is stored.
 */
import { hashText, unit } from './hash.js';
import { regions } from './regions.js';
import type { SnapshotRow, Telemetry, TelemetryVehicle, TripTruth } from './rows.js';

export { regions } from './regions.js';
export type * from './rows.js';

const hour = 3_600_000;
const step = 30_000;
const radiusKm = 5;
const lapMs = hour;

/** Creates the telemetry of one seed. Instances with the same seed are interchangeable. */
export function createTelemetry(seed: number): Telemetry {
  function rowAt(vehicle: TelemetryVehicle, timestamp: number): SnapshotRow {
    const region = regions.find(({ name }) => name === vehicle.region) ?? regions[0];
    if (region === undefined) throw new Error('there are no regions');
    const drivenMs = Math.floor(timestamp / (2 * hour)) * hour + Math.min(timestamp % (2 * hour), hour);
    const on = timestamp % (2 * hour) < hour;
    const angle = ((drivenMs % lapMs) / lapMs) * 2 * Math.PI + unit(hashText(vehicle.id, seed)) * 6;
    const speed = (2 * Math.PI * radiusKm * hour) / lapMs;
    const since = drivenMs - Math.floor(vehicle.deviceSince / 2);
    return {
      vehicleId: vehicle.id,
      timestamp,
      gps: {
        state: true,
        latitude: region.latitude + (radiusKm / 111.195) * Math.sin(angle),
        longitude:
          region.longitude + (radiusKm / 111.195 / Math.cos((region.latitude * Math.PI) / 180)) * Math.cos(angle),
        direction: Math.round(((360 - (angle * 180) / Math.PI) % 360) + 360) % 360,
        altitude: 100,
        speed: on ? speed : 0,
        satellites: 11,
        hdop: 0.9,
      },
      ignition: { engineStatus: on },
      canBus: null,
      driverBehaviour: null,
      temperatures: null,
      fleetMetaSensors: null,
      fuel: null,
      misc: null,
      locationTimestamp: timestamp,
      locationTimeZone: region.timeZone,
      odometerKm: 10_000 + (speed * since) / hour,
      engineHours: 500 + since / hour,
    };
  }

  function* snapshots(vehicle: TelemetryVehicle, from: number, to: number): Generator<SnapshotRow> {
    if (!vehicle.hasDevice) return;
    for (let t = Math.ceil(Math.max(from, vehicle.deviceSince) / step) * step; t <= to; t += step)
      yield rowAt(vehicle, t);
  }

  function latest(vehicle: TelemetryVehicle, at: number): SnapshotRow | null {
    const t = Math.floor(at / step) * step;
    return vehicle.hasDevice && t >= vehicle.deviceSince ? rowAt(vehicle, t) : null;
  }

  function* trips(vehicle: TelemetryVehicle, from: number, to: number): Generator<TripTruth> {
    if (!vehicle.hasDevice) return;
    const first = Math.max(from - hour, vehicle.deviceSince);
    for (let start = Math.ceil(first / (2 * hour)) * 2 * hour; start <= to; start += 2 * hour) {
      const a = rowAt(vehicle, start);
      const b = rowAt(vehicle, start + hour);
      const zero = { latitude: 0, longitude: 0 };
      yield {
        vehicleId: vehicle.id,
        start,
        end: start + hour,
        distanceKm: b.odometerKm - a.odometerKm,
        fuelLitres: 0,
        idleMs: 0,
        topSpeedKmh: a.gps?.speed ?? 0,
        harshEvents: {},
        startPosition: a.gps ?? zero,
        endPosition: b.gps ?? zero,
        startOdometerKm: a.odometerKm,
        endOdometerKm: b.odometerKm,
      };
    }
  }

  return { snapshots, latest, trips };
}
