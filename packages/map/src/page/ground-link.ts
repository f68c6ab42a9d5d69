// What the two scripts of the page know of each other. The second one draws the ground; it comes after the first picture, and says that it is
// there with an event.
import type { Map as LeafletMap } from 'leaflet';
import type { MapSetup } from '../shapes.js';

/** A rectangle of the screen, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface GroundHost {
  readonly map: LeafletMap;
  readonly setup: Pick<MapSetup, 'kind' | 'streets'>;
  /** Whether the streets cannot be read. */
  lose(isLost: boolean): void;
  /** Whom the ground comes from. */
  credit(text: string): void;
}

export interface Ground {
  /** After the colours have changed. */
  redraw(): void;
  /** Where other names stand, of each kind of them. */
  avoid(kind: 'vehicles' | 'geofences', boxes: readonly Box[]): void;
  /** Tiles that are loaded have names of their own. */
  showNames(isShown: boolean): void;
}

export type GroundFactory = (host: GroundHost) => Ground;

declare global {
  interface DocumentEventMap {
    'fleet-ground': CustomEvent<GroundFactory>;
  }
}

export const GROUND_EVENT = 'fleet-ground';

export const isApart = (one: Box, other: Box): boolean =>
  one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;
