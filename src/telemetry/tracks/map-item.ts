// What a map is made of, whatever it is written as: pieces of a track, and features.

import type { Fix } from './fix.js';
import type { Geometry } from './geometry.js';

/** Positions of one vehicle that belong together, by time; at least one. */
export interface Segment {
  readonly kind: 'segment';
  readonly vehicleId: string | null;
  readonly name: string | null;
  /** From 1, for each vehicle. */
  readonly number: number;
  /** Cut for its length alone: it begins with the last fix of the one before. */
  readonly continues: boolean;
  readonly fixes: readonly Fix[];
}

/** A point, a line or an area. */
export interface MapFeature {
  readonly kind: 'feature';
  readonly id?: string | undefined;
  readonly geometry: Geometry;
  readonly name: string | null;
  /** RFC 3339; one for a point, one for each position of a line. */
  readonly times?: readonly string[] | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type MapItem = Segment | MapFeature;

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;
