// The parts of trips by driver and local day, by the same arithmetic as --clip.
import type { Trip, TripSegment } from '../../../telemetry/trips/trip.js';
import { isDriver } from '../../find/driver.js';
import { cutBounds } from '../shared/cut-bounds.js';

type UnsummedValues = 'startPosition' | 'endPosition' | 'snapshots';

/** A part of a trip: of one driver on one local day when the trip has details, else all of it. */
export interface SummedPart
  extends Omit<TripSegment, 'day' | 'endedAt' | 'meanSpeedKmh' | 'harshEvents' | UnsummedValues> {
  readonly tripId: string;
  readonly vehicleId: string;
  /** Null for a trip without details. */
  readonly day: string | null;
  /** RFC 3339, UTC: the last snapshot of an open trip. */
  readonly endedAt: string;
  readonly fuelBy: Trip['fuelBy'];
  /** The number of geofences that the vehicle entered. */
  readonly visits: number;
}

export function partsOfTrip(trip: Trip): readonly SummedPart[] {
  const { id: tripId, vehicleId, fuelBy, details, lastSeenAt } = trip;
  if (details === undefined) {
    const endedAt = trip.endedAt ?? lastSeenAt;
    const driverId = trip.driverIds[0] ?? null;
    const unread = { odometerStartKm: null, odometerEndKm: null, visits: 0 };
    return [{ ...trip, tripId, driverId, day: null, endedAt, ...unread }];
  }
  const { segments, visits } = details;
  return segments.flatMap((segment, index) => {
    // The last snapshot may name another driver.
    if (isEmpty(segment) && segments.length > 1) return [];
    const next = segments[index + 1]?.startedAt ?? null;
    const isInside = (time: string | null) =>
      time !== null && (index === 0 || time >= segment.startedAt) && (next === null || time < next);
    return {
      ...segment,
      tripId,
      vehicleId,
      fuelBy,
      endedAt: segment.endedAt ?? lastSeenAt,
      visits: visits.filter(({ enteredAt }) => isInside(enteredAt)).length,
    };
  });
}

/** Returns the parts of the driver, from one identification to the next, as trips. */
export function partsOfDriver({ details, ...trip }: Trip, driverId: string): readonly Trip[] {
  const isOfDriver = (id: string | null | undefined) => isDriver(id, driverId);
  const segments = details?.segments.filter((segment, _index, all) => all.length === 1 || !isEmpty(segment)) ?? [];
  // A trip without details has one driver.
  const all = details === undefined ? trip.driverIds : segments.map((segment) => segment.driverId);
  if (all.every(isOfDriver)) return all.length > 0 ? [trip] : [];
  const parts: TripSegment[][] = [];
  for (const [index, segment] of segments.entries()) {
    if (!isOfDriver(segment.driverId)) continue;
    // Midnight cuts the time of a driver too.
    if (isOfDriver(segments[index - 1]?.driverId)) parts.at(-1)?.push(segment);
    else parts.push([segment]);
  }
  return parts.map((part) => tripOfPart(trip, part));
}

function isEmpty({ durationSeconds, distanceKm }: TripSegment): boolean {
  return durationSeconds === 0 && distanceKm === 0;
}

function tripOfPart(trip: Trip, segments: readonly TripSegment[]): Trip {
  const [first, last] = [segments[0], segments.at(-1)];
  const bounds = cutBounds(trip, first?.startedAt ?? trip.startedAt, last?.endedAt ?? null);
  const { startedAt, endedAt, lastSeenAt } = bounds;
  const sumOf = (value: (segment: TripSegment) => number) =>
    segments.reduce((sum, segment) => sum + thousandths(value(segment)), 0) / 1000;
  const movingSeconds = sumOf((one) => one.movingSeconds);
  const meanSpeedKmh = sumOf((one) => (one.meanSpeedKmh ?? 0) * one.movingSeconds) / movingSeconds;
  const topSpeeds = segments.flatMap(({ topSpeedKmh }) => topSpeedKmh ?? []);
  return {
    ...trip,
    ...bounds,
    driverIds: first?.driverId ? [first.driverId] : [],
    distanceKm: sumOf(({ distanceKm }) => distanceKm),
    durationSeconds: sumOf(({ durationSeconds }) => durationSeconds),
    movingSeconds,
    idleSeconds: sumOf(({ idleSeconds }) => idleSeconds),
    unseenSeconds: sumOf(({ unseenSeconds }) => unseenSeconds),
    topSpeedKmh: topSpeeds.length === 0 ? null : Math.max(...topSpeeds),
    meanSpeedKmh: meanSpeedKmh > 0 ? Math.round(meanSpeedKmh * 10) / 10 : null,
    fuelUsed: trip.fuelUsed === null ? null : sumOf(({ fuelUsed }) => fuelUsed ?? 0),
    harshEvents: harshEventsOf(segments),
    startPosition: first?.startPosition ?? null,
    endPosition: last?.endPosition ?? null,
    snapshots: segments.reduce((sum, { snapshots }) => sum + snapshots, 0),
    ...(trip.track && { track: trip.track.filter(({ time }) => time >= startedAt && time <= (endedAt ?? lastSeenAt)) }),
  };
}

function harshEventsOf(segments: readonly TripSegment[]): Trip['harshEvents'] {
  const counts: Record<string, number> = {};
  for (const { harshEvents } of segments) {
    for (const [type, count] of Object.entries(harshEvents)) counts[type] = (counts[type] ?? 0) + count;
  }
  return counts;
}

export function thousandths(value: number): number {
  return Math.round(value * 1000);
}
