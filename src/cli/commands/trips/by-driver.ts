// Splits a trip by driver.
import type { Trip, TripSegment } from '../../../telemetry/trips/trip.js';
import { type SumPart, thousandths } from './sum.js';

interface DriverPart {
  readonly driverId: string | null;
  readonly part: SumPart;
}

/** Splits a trip by driver. Fuel is not measured per driver, so it is split by distance. */
export function partsByDriver(trip: Trip): readonly DriverPart[] {
  const single = [{ driverId: trip.driverIds[0] ?? null, part: trip }];
  if (trip.driverIds.length < 2 || trip.details === undefined) return single;
  const byDriver = new Map<string | null, TripSegment[]>();
  for (const segment of trip.details.segments) {
    byDriver.set(segment.driverId, [...(byDriver.get(segment.driverId) ?? []), segment]);
  }
  if (byDriver.size < 2) return single;
  const shares = [...byDriver].map(([driverId, segments]) => ({
    driverId,
    distance: sumOf(segments, ({ distanceKm }) => distanceKm),
    duration: sumOf(segments, ({ durationSeconds }) => durationSeconds),
    moving: sumOf(segments, ({ movingSeconds }) => movingSeconds),
    idle: sumOf(segments, ({ idleSeconds }) => idleSeconds),
  }));
  const whole = shares.reduce((sum, { distance }) => sum + distance, 0);
  const fuel = trip.fuelUsed === null ? null : thousandths(trip.fuelUsed);
  let [before, assignedFuel] = [0, 0];
  return shares.map(({ driverId, distance, duration, moving, idle }, index) => {
    before += distance;
    // The last part gets the remainder, so that the parts add up.
    const until = fuel === null ? 0 : index === shares.length - 1 ? fuel : Math.round((fuel * before) / (whole || 1));
    const own = until - assignedFuel;
    assignedFuel = until;
    return {
      driverId,
      part: {
        ...trip,
        distanceKm: distance / 1000,
        durationSeconds: duration / 1000,
        movingSeconds: moving / 1000,
        idleSeconds: idle / 1000,
        unseenSeconds: Math.max(0, duration - moving - idle) / 1000,
        fuelUsed: fuel === null ? null : own / 1000,
        topSpeedKmh: null,
      },
    };
  });
}

/** Returns the sum in whole thousandths, so that the parts add up exactly. */
function sumOf(segments: readonly TripSegment[], value: (segment: TripSegment) => number): number {
  return segments.reduce((sum, segment) => sum + thousandths(value(segment)), 0);
}
