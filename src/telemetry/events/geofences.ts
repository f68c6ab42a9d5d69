// The geofences of the last read; finds the ones that an answer changes.
import { hashedName } from '../../core/hashed-name.js';
import { type Shape, shapeOf } from '../watch/geofence-shape.js';

/** The time after which geofences, and the records that rules name, are read again. */
export const REFRESH_MS = 600_000;

const UNREADABLE = '';

/** A geofence as the service sends it. */
export interface GeofenceReport {
  readonly geofenceId: string;
  readonly name: string | null;
  readonly geojson: unknown;
}

export interface GeofencesAnswer {
  readonly geofences: readonly GeofenceReport[];
  /** False when the answer is partial: a missing geofence is then not deleted. */
  readonly isComplete: boolean;
}

export interface CachedGeofence {
  readonly name: string | null;
  /** Null when no vehicle can be inside. */
  readonly shape: Shape | null;
  readonly hash: string;
}

export interface GeofencesOptions {
  /** For points and lines without a radius. */
  readonly radiusMetres?: number | undefined;
}

export class Geofences {
  readonly #options: GeofencesOptions;
  byId: ReadonlyMap<string, CachedGeofence> = new Map();
  /** By geofence id; null before the first answer. */
  hashes: ReadonlyMap<string, string> | null;

  /** `hashes`: those of an earlier watch; the first answer is compared with them. */
  constructor(options: GeofencesOptions = {}, hashes: ReadonlyMap<string, string> | null = null) {
    this.#options = options;
    this.hashes = hashes;
  }

  get unreadable(): readonly string[] {
    return [...this.byId].flatMap(([id, { name, hash }]) => (hash === UNREADABLE ? [name ?? id] : []));
  }

  /** Stores an answer, and returns the ids of created, redrawn and deleted geofences. */
  take({ geofences, isComplete }: GeofencesAnswer): ReadonlySet<string> {
    const byId = new Map(isComplete ? [] : this.byId);
    for (const { geofenceId, name, geojson } of geofences) {
      byId.set(geofenceId, { name, ...this.#shapeOf(geojson, this.byId.get(geofenceId)) });
    }
    const before: ReadonlyMap<string, string> = this.hashes ?? new Map();
    const after = new Map([...byId].map(([id, { hash }]) => [id, hash]));
    this.byId = byId;
    this.hashes = after;
    return new Set([...after.keys(), ...before.keys()].filter((id) => before.get(id) !== after.get(id)));
  }

  /** Returns a null shape for a GeoJSON nested too deeply: it must not end the whole watch. */
  #shapeOf(geojson: unknown, before: CachedGeofence | undefined): Pick<CachedGeofence, 'shape' | 'hash'> {
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
