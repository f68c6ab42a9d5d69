// The day of a vehicle, while it is read and after that.
import type { MapDay } from '../shapes.js';
import type { Said } from './words/said.js';

export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly said: readonly Said[] }
  | { readonly kind: 'loaded'; readonly day: MapDay };
