// The day of a vehicle, while it is read and after that.
import type { MapDay, MapProblem } from '../shapes.js';

export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: MapProblem }
  | { readonly kind: 'loaded'; readonly day: MapDay };
