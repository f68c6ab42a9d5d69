// The items of a map, independent of the format: segments of tracks, and features.

import type { Geometry } from './geometry.js';
import type { Fix } from './position-fix.js';

/** Consecutive fixes of one vehicle, ordered by time; at least one. */
export interface Segment {
  readonly kind: 'segment';
  readonly vehicleId: string | null;
  readonly name: string | null;
  /** Counted from 1 for each vehicle. */
  readonly number: number;
  /** True after a split for length: it begins with the last fix of the previous segment. */
  readonly continues: boolean;
  readonly fixes: readonly Fix[];
}

/** A point, a line or an area. */
export interface MapFeature {
  readonly kind: 'feature';
  readonly id?: string | undefined;
  readonly geometry: Geometry;
  readonly name: string | null;
  /** RFC 3339: one time for a point, one for each position of a line. */
  readonly times?: readonly string[] | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type MapItem = Segment | MapFeature;

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;
