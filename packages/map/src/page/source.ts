// The data source of the page: the local server, or the file itself.
import type { LiveMessage, MapDay, MapGeofence, MapRoads } from '../shapes.js';
import { type ProblemSentence, textOf } from './words/problem-sentences.js';

/** `paused`: the tab is hidden. `lost`: no answer. `ended`: the server has announced its end. */
export type ConnectionState = 'connecting' | 'live' | 'paused' | 'lost' | 'ended' | 'file';

export interface SourceEvents {
  message(message: LiveMessage): void;
  connection(state: ConnectionState): void;
}

export interface Source {
  start(events: SourceEvents): void;
  /** Rejects with a ProblemError, or with an AbortError. */
  day(vehicleId: string, day: string | null, signal: AbortSignal): Promise<MapDay>;
  geofences(): Promise<readonly MapGeofence[]>;
  /** The 24 hours that ended `daysAgo` days ago (default 0). */
  roads(daysAgo?: number, signal?: AbortSignal): Promise<MapRoads>;
}

/** The state of reading a day. */
export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly said: readonly ProblemSentence[] }
  | { readonly kind: 'loaded'; readonly day: MapDay };

export const loading: DayState = { kind: 'loading' };

export class ProblemError extends Error {
  readonly said: readonly ProblemSentence[];

  constructor(said: readonly ProblemSentence[]) {
    super(textOf(said));
    this.said = said;
  }
}
