// The data source of a page that `fleet map --file` wrote.
import type { FileSetup, LiveMessage, MapDay, MapGeofence, MapRoads } from '../shapes.js';
import { xOf, yOf } from './mercator.js';
import { type DayTripSums, type RecordedVehicle, sumsOf, vehicleAt } from './recorded.js';
import type { Source, SourceEvents } from './source.js';
import { decodeTrack, type Track } from './track.js';

/** Totals of the period. */
export interface Story extends DayTripSums {
  readonly vehicles: number;
  readonly drove: number;
  readonly begins: number | null;
  readonly hasBegun: boolean;
}

export class FileSource implements Source {
  readonly #setup: FileSetup;
  readonly #recorded: readonly RecordedVehicle[];

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
    message(this.momentOf(this.beginning));
  }

  get period(): { readonly from: number; readonly to: number } {
    return this.#setup;
  }

  /** A minute before the first movement, or the start of the period. */
  get beginning(): number {
    const { from } = this.#setup;
    const { begins, hasBegun } = this.story();
    return hasBegun ? from : Math.max(from, (begins ?? from) - 60_000);
  }

  story(): Story {
    const days = this.#setup.days.filter(({ trips }) => trips.length > 0);
    const trips = days.flatMap((day) => day.trips);
    const begun = trips.filter(({ beganBefore }) => !beganBefore);
    const begins = begun.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
    return {
      ...sumsOf(trips),
      vehicles: this.#setup.vehicles.length,
      drove: days.length,
      begins: begun.length === 0 ? null : begins,
      hasBegun: begun.length < trips.length,
    };
  }

  momentOf(at: number): LiveMessage & { readonly kind: 'fleet' } {
    return { kind: 'fleet', at, ageMs: 0, vehicles: this.#recorded.map((recorded) => vehicleAt(recorded, at)) };
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
      visits: recorded.visits.filter((visit) => (visit.from ?? from) <= to && (visit.to ?? visit.lastSeenAt) >= from),
    };
  }

  get days(): ReadonlyMap<string, MapDay> {
    return new Map(this.#setup.days.map((day) => [day.vehicleId, day]));
  }

  async geofences(): Promise<readonly MapGeofence[]> {
    return this.#setup.geofences;
  }

  async roads(): Promise<MapRoads> {
    return { to: this.#setup.to, lines: [] };
  }

  *places(): Generator<{ readonly x: number; readonly y: number }> {
    for (const { vehicle, track } of this.#recorded) {
      const { latitude, longitude } = vehicle;
      if (track === null || track.times.length === 0) {
        if (latitude !== null && longitude !== null) yield { x: xOf(longitude), y: yOf(latitude) };
      } else for (const [index, x] of track.x.entries()) yield { x, y: track.y[index] ?? Number.NaN };
    }
  }

  tracks(): readonly Track[] {
    return this.#recorded.flatMap(({ track }) => track ?? []);
  }
}

function nothing(vehicleId: string, { from, to }: FileSetup): MapDay {
  const track = { start: from, times: [], latitudes: [], longitudes: [], speeds: [], breaks: [] };
  return {
    vehicleId,
    from,
    to,
    track,
    lastFixAt: null,
    trips: [],
    stops: [],
    events: [],
    visits: [],
    assigned: null,
    notes: [],
    warnings: [],
  };
}
