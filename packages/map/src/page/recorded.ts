// A vehicle's state at a past time, from its recorded day.
import type { MapDay, MapTrip, MapVehicle } from '../shapes.js';
import { latitudeOf, longitudeOf } from './mercator.js';
import { indexAt, placeAt, type Track } from './track.js';

/** Thresholds of `liveStatus` in the command line. */
const STALE_AFTER_MS = 90 * 60_000;
const OFFLINE_AFTER_MS = 6 * 3_600_000;
const MOVING_KMH = 2;

export interface RecordedVehicle {
  readonly vehicle: MapVehicle;
  readonly day: MapDay | null;
  readonly track: Track | null;
}

export function vehicleAt(recorded: RecordedVehicle, at: number): MapVehicle {
  const { vehicle, day, track } = recorded;
  const place = track === null ? null : placeAt(track, at);
  if (track === null || place === null) return beforeItsTrack(recorded, at);
  const trip = day?.trips.find(({ from, to, lastSeenAt }) => from <= at && at <= (to ?? lastSeenAt));
  const stop = day?.stops.find(({ from, to }) => from <= at && (to === null || at <= to));
  const index = indexAt(track, at);
  const seenAt = track.times[index] ?? at;
  // Between two positions of an unbroken track, the vehicle is not silent.
  const age = index + 1 < track.times.length && track.begins[index + 1] === 0 ? 0 : at - seenAt;
  return {
    ...vehicle,
    status: statusAt(age, place.speed, trip !== undefined),
    at: age === 0 ? at : seenAt,
    latitude: latitudeOf(place.y),
    longitude: longitudeOf(place.x),
    speed: place.speed,
    heading: place.heading,
    driver: driverAt(day?.trips ?? [], at),
    place: stop?.place ?? null,
  };
}

/**
 * Uses the last snapshot when it is older, and the first position while parked before the first
 * trip. Otherwise the position is unknown.
 */
function beforeItsTrack({ vehicle, day, track }: RecordedVehicle, at: number): MapVehicle {
  const nothing = { latitude: null, longitude: null, speed: null, heading: null, driver: null, place: null, at: null };
  const driver = driverAt(day?.trips ?? [], at);
  if (vehicle.at !== null && vehicle.at <= at) {
    return { ...vehicle, status: statusAt(at - vehicle.at, null, false), speed: null, heading: null, driver };
  }
  const [x, y, first] = [track?.x[0], track?.y[0], day?.trips[0]];
  const isParked = first === undefined || (!first.beganBefore && at < first.from);
  if (x === undefined || y === undefined || !isParked) return { ...vehicle, ...nothing, status: 'unknown' };
  return { ...vehicle, ...nothing, driver, status: 'stopped', latitude: latitudeOf(y), longitude: longitudeOf(x) };
}

/** Returns the driver of the current or previous trip, or of the first trip. */
function driverAt(trips: readonly MapTrip[], at: number): string | null {
  const trip = trips.findLast(({ from }) => from <= at);
  return (trip === undefined ? trips[0]?.drivers[0] : trip.drivers.at(-1)) ?? null;
}

function statusAt(age: number, speed: number | null, isOn: boolean): MapVehicle['status'] {
  if (age >= OFFLINE_AFTER_MS) return 'offline';
  if (age >= STALE_AFTER_MS) return 'stale';
  if (speed !== null && speed >= MOVING_KMH && isOn) return 'moving';
  return isOn ? 'idling' : 'stopped';
}

/** Returns the last readings up to this time. */
export function readingsAt(
  trips: readonly MapTrip[],
  at: number,
): { readonly odometerKm: number | null; readonly tank: number | null } {
  const last = trips.filter(({ to, lastSeenAt }) => (to ?? lastSeenAt) <= at).at(-1);
  return { odometerKm: last?.odometerKm ?? null, tank: last?.tank ?? null };
}

export interface DayTripSums {
  readonly trips: number;
  readonly km: number;
  readonly isDoubted: boolean;
  readonly movingMs: number;
  readonly idleMs: number;
  /** Null when unknown for any trip. */
  readonly fuelUsed: number | null;
  readonly isFuelInLitres: boolean;
  readonly topSpeed: number | null;
}

export function sumsOf(trips: readonly MapTrip[]): DayTripSums {
  const sum = (read: (trip: MapTrip) => number) => trips.reduce((total, trip) => total + read(trip), 0);
  const speeds = trips.flatMap(({ topSpeed }) => topSpeed ?? []);
  const isFuelKnown = trips.length > 0 && trips.every(({ fuelUsed }) => fuelUsed !== null);
  return {
    trips: trips.length,
    km: sum(({ km }) => km),
    isDoubted: trips.some(({ isDoubted }) => isDoubted),
    movingMs: sum(({ movingMs }) => movingMs),
    idleMs: sum(({ idleMs }) => idleMs),
    fuelUsed: isFuelKnown ? sum(({ fuelUsed }) => fuelUsed ?? 0) : null,
    isFuelInLitres: trips.every(({ isFuelInLitres }) => isFuelInLitres),
    topSpeed: speeds.length === 0 ? null : speeds.reduce((most, speed) => Math.max(most, speed)),
  };
}
