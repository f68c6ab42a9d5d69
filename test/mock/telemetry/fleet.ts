/** Vehicles and measures for the telemetry tests. */
import fc from 'fast-check';
import {
  regions,
  type TelemetryRow,
  type TelemetryVehicle,
  type VehicleKind,
} from '../../../src/mock/telemetry/telemetry.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const since = Date.UTC(2025, 0, 1, 12);

export const kindNames: readonly VehicleKind[] = ['car', 'van', 'truck'];

/** Returns a vehicle that works on ordinary days with a working device, unless `place` differs. */
export function vehicle(id: string, kind: VehicleKind = 'truck', region = 'Berlin', place = 4): TelemetryVehicle {
  return { id, kind, region, place, deviceSince: since, deviceUntil: null, hasDevice: true };
}

export const anyVehicle = fc
  .record({
    id: fc.uuid(),
    kind: fc.constantFrom(...kindNames),
    region: fc.constantFrom(...regions.map(({ name }) => name)),
    place: fc.nat({ max: 99 }),
  })
  .map(({ id, kind, region, place }) => vehicle(id, kind, region, place));

/** Any second of the three years after the device's installation. */
export const anyTime = fc.integer({ min: since / 1000, max: (since + 1095 * day) / 1000 }).map((s) => s * 1000);

/** Returns rows in time order. The sort is stable, so equal times keep the delivery order. */
export function byTime(rows: Iterable<TelemetryRow>): TelemetryRow[] {
  return [...rows].sort((a, b) => a.timestamp - b.timestamp);
}

const radiusM = 6_371_008.8;
const radians = Math.PI / 180;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Returns the great-circle distance in metres. */
export function greatCircle(a: Point, b: Point): number {
  const u = Math.sin(((b.latitude - a.latitude) * radians) / 2);
  const v = Math.sin(((b.longitude - a.longitude) * radians) / 2);
  const h = u * u + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * v * v;
  return 2 * radiusM * Math.asin(Math.sqrt(h));
}

/** Returns the initial bearing in degrees. */
export function bearing(a: Point, b: Point): number {
  const dLon = (b.longitude - a.longitude) * radians;
  const y = Math.sin(dLon) * Math.cos(b.latitude * radians);
  const x =
    Math.cos(a.latitude * radians) * Math.sin(b.latitude * radians) -
    Math.sin(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.cos(dLon);
  return (Math.atan2(y, x) / radians + 360) % 360;
}

/** Returns the rows whose position was measured at their own time. */
export function freshFixes(rows: readonly TelemetryRow[]): TelemetryRow[] {
  return rows.filter((row) => row.gps?.state === true && row.locationTimestamp === row.timestamp);
}

/** Returns text for comparison, which is far faster than comparing the rows. */
export function text(rows: Iterable<unknown>): string {
  return JSON.stringify([...rows]);
}
