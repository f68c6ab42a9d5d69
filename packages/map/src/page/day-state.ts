import type { MapDay } from '../shapes.js';
import type { ProblemSentence } from './words/problem-sentences.js';

export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly said: readonly ProblemSentence[] }
  | { readonly kind: 'loaded'; readonly day: MapDay };
