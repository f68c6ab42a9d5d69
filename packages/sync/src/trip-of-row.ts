// Converts a row of a copy to a trip. Times of readings and other details are left out.

import type { Trip, TripPosition } from 'fleet-telematics';
import { isObject, readFlag, readNumber } from 'fleet-telematics/kit';

export const tripColumns = [
  ...['id', 'vehicle_id', 'started_at', 'ended_at', 'last_seen_at', 'is_open', 'ended_by', 'is_start_known'],
  ...['trips_by', 'driver_ids', 'distance_km', 'distance_by', 'distance_doubt', 'duration_s', 'moving_s', 'idle_s'],
  ...['unseen_s', 'top_speed_kmh', 'mean_speed_kmh', 'fuel_used', 'fuel_by', 'harsh_events', 'snapshots'],
  ...['start_latitude_deg', 'start_longitude_deg', 'end_latitude_deg', 'end_longitude_deg'],
] as const;

/** Returns null for an invalid row, and for a trip without an end because its vehicle was gone. */
export function tripOfRow(row: Readonly<Record<string, unknown>>): Trip | null {
  const [id, vehicleId, startedAt, lastSeenAt] = [row.id, row.vehicle_id, row.started_at, row.last_seen_at].map(String);
  const endedAt = row.ended_at === null ? null : String(row.ended_at);
  const endedBy = row.ended_by === null ? null : oneOf(row.ended_by, ['ignition', 'stop', 'silence']);
  const tripsBy = oneOf(row.trips_by, ['ignition', 'movement']);
  const distanceBy = oneOf(row.distance_by, ['odometer', 'positions', 'both', 'none']);
  const fuelBy = row.fuel_by === null ? null : oneOf(row.fuel_by, ['canTripFuelUsed', 'canhrFuelUsed', 'canFuelUsed']);
  const driverIds = parsed(row.driver_ids);
  const harshEvents = parsed(row.harsh_events);
  const [distanceKm, durationSeconds, movingSeconds, idleSeconds, unseenSeconds, snapshots] = [
    ...[row.distance_km, row.duration_s, row.moving_s, row.idle_s, row.unseen_s, row.snapshots],
  ].map((cell) => readNumber(cell) ?? undefined);
  if (id === undefined || vehicleId === undefined || startedAt === undefined || lastSeenAt === undefined) return null;
  if (endedBy === undefined || tripsBy === undefined || distanceBy === undefined || fuelBy === undefined) return null;
  if (distanceKm === undefined || durationSeconds === undefined || movingSeconds === undefined) return null;
  if (idleSeconds === undefined || unseenSeconds === undefined || snapshots === undefined) return null;
  if (!Array.isArray(driverIds) || !isObject(harshEvents)) return null;
  return {
    ...{ id, vehicleId, startedAt, endedAt, lastSeenAt, endedBy, tripsBy, distanceKm, distanceBy },
    ...{ isOpen: readFlag(row.is_open) === true, isStartKnown: readFlag(row.is_start_known) === true },
    ...{ durationSeconds, movingSeconds, idleSeconds, unseenSeconds, snapshots, fuelBy },
    driverIds: driverIds.map(String),
    distanceDoubt: readNumber(row.distance_doubt) ?? null,
    topSpeedKmh: readNumber(row.top_speed_kmh) ?? null,
    meanSpeedKmh: readNumber(row.mean_speed_kmh) ?? null,
    fuelUsed: readNumber(row.fuel_used) ?? null,
    harshEvents: Object.fromEntries(Object.entries(harshEvents).map(([kind, times]) => [kind, Number(times)])),
    startPosition: positionOf(row.start_latitude_deg, row.start_longitude_deg),
    endPosition: positionOf(row.end_latitude_deg, row.end_longitude_deg),
  };
}

function oneOf<Allowed extends string>(cell: unknown, allowed: readonly Allowed[]): Allowed | undefined {
  return allowed.find((value) => value === cell);
}

function parsed(cell: unknown): unknown {
  try {
    return JSON.parse(String(cell));
  } catch {
    return null;
  }
}

function positionOf(latitude: unknown, longitude: unknown): TripPosition | null {
  const [lat, lon] = [readNumber(latitude), readNumber(longitude)];
  return typeof lat === 'number' && typeof lon === 'number' ? { latitude: lat, longitude: lon } : null;
}
