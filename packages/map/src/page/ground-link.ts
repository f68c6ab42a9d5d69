// The interface of the page's two scripts. The second one draws the base map; it loads after the
// first paint and reports with an event.
import type { Map as LeafletMap } from 'leaflet';
import type { MapSetup } from '../shapes.js';

/** In pixels of the screen. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface GroundHost {
  readonly map: LeafletMap;
  readonly setup: Pick<MapSetup, 'kind' | 'streets'>;
  lose(isLost: boolean): void;
  credit(text: string): void;
}

export interface Ground {
  redraw(): void;
  avoid(kind: 'vehicles' | 'geofences', boxes: readonly Box[]): void;
  /** Loaded tiles have their own names. */
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
