import type { MapDay } from '../shapes.js';
import type { Said } from './words/said.js';

export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly said: readonly Said[] }
  | { readonly kind: 'loaded'; readonly day: MapDay };
