// Reads from the page itself: the map of a period, as `fleet map --file` wrote it.
import type { FileSetup, LiveMessage, MapDay, MapGeofence, MapRoads, MapVehicle } from '../shapes.js';
import { latitudeOf, longitudeOf } from './mercator.js';
import type { Source, SourceEvents } from './source.js';
import { decodeTrack, indexAt, placeAt, type Track } from './track.js';

/** As of `liveStatus` in the command line. */
const STALE_AFTER_MS = 90 * 60_000;
const OFFLINE_AFTER_MS = 6 * 3_600_000;
const MOVING_KMH = 2;

interface Recorded {
  readonly vehicle: MapVehicle;
  readonly day: MapDay | null;
  readonly track: Track | null;
}

export class FileSource implements Source {
  readonly #setup: FileSetup;
  readonly #recorded: readonly Recorded[];

  constructor(setup: FileSetup) {
    this.#setup = setup;
    const days = new Map(setup.days.map((day) => [day.vehicleId, day]));
    this.#recorded = setup.vehicles.map((vehicle) => {
      const day = days.get(vehicle.id) ?? null;
      return { vehicle, day, track: day === null ? null : decodeTrack(day.track) };
    });
  }

  start({ connection, message }: SourceEvents): void {
    connection('file');
    message(this.momentOf(this.#setup.to));
  }

  /** All vehicles at a time of the period. */
  momentOf(at: number): LiveMessage & { readonly kind: 'fleet' } {
    return { kind: 'fleet', at, vehicles: this.#recorded.map((recorded) => vehicleAt(recorded, at)) };
  }

  async day(vehicleId: string, day: string | null): Promise<MapDay> {
    const recorded = this.#recorded.find(({ vehicle }) => vehicle.id === vehicleId)?.day;
    const date = this.#setup.dates.find((one) => one.day === day);
    if (!recorded) return nothing(vehicleId, this.#setup);
    if (!date) return recorded;
    const [from, to] = [Math.max(date.from, recorded.from), Math.min(date.to, recorded.to)];
    return {
      ...recorded,
      from,
      to,
      trips: recorded.trips.filter((trip) => trip.from < to && (trip.to ?? trip.lastSeenAt) >= from),
      stops: recorded.stops.filter((stop) => stop.from < to && (stop.to ?? recorded.to) >= from),
      events: recorded.events.filter(({ at }) => at >= from && at <= to),
    };
  }

  async geofences(): Promise<readonly MapGeofence[]> {
    return this.#setup.geofences;
  }

  async roads(): Promise<MapRoads> {
    return { lines: [] };
  }

  /** All tracks, as the roads driven. */
  tracks(): readonly Track[] {
    return this.#recorded.flatMap(({ track }) => track ?? []);
  }
}

function vehicleAt({ vehicle, day, track }: Recorded, at: number): MapVehicle {
  const place = track === null ? null : placeAt(track, at);
  if (track === null || place === null) {
    return { ...vehicle, status: 'unknown', at: null, latitude: null, longitude: null, speed: null, heading: null };
  }
  const trip = day?.trips.find(({ from, to, lastSeenAt }) => from <= at && at <= (to ?? lastSeenAt));
  const index = indexAt(track, at);
  const seenAt = track.times[index] ?? at;
  // The last position of a rest is the next one that is kept.
  const age = index + 1 < track.times.length && track.begins[index + 1] === 0 ? 0 : at - seenAt;
  return {
    ...vehicle,
    status: statusAt(age, place.speed, trip !== undefined),
    at: age === 0 ? at : seenAt,
    latitude: latitudeOf(place.y),
    longitude: longitudeOf(place.x),
    speed: place.speed,
    heading: place.heading,
    driver: trip?.drivers.at(-1) ?? null,
  };
}

function statusAt(age: number, speed: number | null, isOn: boolean): MapVehicle['status'] {
  if (age >= OFFLINE_AFTER_MS) return 'offline';
  if (age >= STALE_AFTER_MS) return 'stale';
  if (speed !== null && speed >= MOVING_KMH && isOn) return 'moving';
  return isOn ? 'idling' : 'stopped';
}

function nothing(vehicleId: string, { from, to }: FileSetup): MapDay {
  const track = { start: from, times: [], latitudes: [], longitudes: [], speeds: [], breaks: [] };
  return { vehicleId, from, to, track, trips: [], stops: [], events: [], assigned: null, notes: [], warnings: [] };
}
