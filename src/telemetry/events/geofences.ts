// The geofences that vehicles are compared with, as last read, and which of them an answer changes.
import { hashedName } from '../../core/hashed-name.js';
import { type Shape, shapeOf } from '../watch/geofence-shape.js';

/** The time after which geofences, and the records that rules name, are read again. */
export const REFRESH_MS = 600_000;

/** In place of the hash of a GeoJSON that cannot be read. */
const UNREADABLE = '';

/** A geofence as the service sends it. */
export interface GeofenceReport {
  readonly geofenceId: string;
  readonly name: string | null;
  readonly geojson: unknown;
}

export interface GeofencesAnswer {
  readonly geofences: readonly GeofenceReport[];
  /** False when something is missing from the answer: a geofence that is not in it is not gone. */
  readonly isComplete: boolean;
}

export interface KnownGeofence {
  readonly name: string | null;
  /** Null for a geofence that no vehicle can be in. */
  readonly shape: Shape | null;
  /** The hash of its GeoJSON. */
  readonly hash: string;
}

export interface GeofencesOptions {
  /** The radius of points and lines that have none themselves. */
  readonly radiusMetres?: number | undefined;
}

export class Geofences {
  readonly #options: GeofencesOptions;
  #known: ReadonlyMap<string, KnownGeofence> = new Map();
  /** The hash of each geofence by id; null before the first answer. */
  #hashes: ReadonlyMap<string, string> | null;

  /** `hashes`: those of an earlier watch, to compare the first answer with. */
  constructor(options: GeofencesOptions = {}, hashes: ReadonlyMap<string, string> | null = null) {
    this.#options = options;
    this.#hashes = hashes;
  }

  get known(): ReadonlyMap<string, KnownGeofence> {
    return this.#known;
  }

  /** The names of the geofences whose GeoJSON cannot be read. */
  get unreadable(): readonly string[] {
    return [...this.#known].flatMap(([id, { name, hash }]) => (hash === UNREADABLE ? [name ?? id] : []));
  }

  get hashes(): ReadonlyMap<string, string> | null {
    return this.#hashes;
  }

  /** Takes an answer, and returns the ids of geofences that were created, redrawn or deleted. */
  take({ geofences, isComplete }: GeofencesAnswer): ReadonlySet<string> {
    const known = new Map(isComplete ? [] : this.#known);
    for (const { geofenceId, name, geojson } of geofences) {
      known.set(geofenceId, { name, ...this.#shapeOf(geojson, this.#known.get(geofenceId)) });
    }
    const before: ReadonlyMap<string, string> = this.#hashes ?? new Map();
    const after = new Map([...known].map(([id, { hash }]) => [id, hash]));
    this.#known = known;
    this.#hashes = after;
    return new Set([...after.keys(), ...before.keys()].filter((id) => before.get(id) !== after.get(id)));
  }

  /**
   * A geofence may be nested too deeply for any program. It must not end the watch of the others.
   */
  #shapeOf(geojson: unknown, before: KnownGeofence | undefined): Pick<KnownGeofence, 'shape' | 'hash'> {
    try {
      const hash = hashedName(JSON.stringify(geojson) ?? '');
      const shape = before?.hash === hash ? before.shape : shapeOf(geojson, this.#options.radiusMetres);
      return { hash, shape };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { hash: UNREADABLE, shape: null };
    }
  }
}
