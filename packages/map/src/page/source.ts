// Where the page gets its data from: the program that serves it, or the file itself.
import type { LiveMessage, MapDay, MapGeofence, MapRoads } from '../shapes.js';
import { type Said, textOf } from './words/said.js';

/** `paused`: the tab is hidden. `lost`: the program does not answer. `ended`: it has said that it ends. */
export type Connection = 'connecting' | 'live' | 'paused' | 'lost' | 'ended' | 'file';

export interface SourceEvents {
  message(message: LiveMessage): void;
  connection(state: Connection): void;
}

export interface Source {
  start(events: SourceEvents): void;
  /** Rejects with a ProblemError, or with an AbortError. */
  day(vehicleId: string, day: string | null, signal: AbortSignal): Promise<MapDay>;
  geofences(): Promise<readonly MapGeofence[]>;
  /** Of the last 24 hours, or of those that ended so many days ago. */
  roads(daysAgo?: number, signal?: AbortSignal): Promise<MapRoads>;
}

/** What went wrong, in words for people. */
export class ProblemError extends Error {
  readonly said: readonly Said[];

  constructor(said: readonly Said[]) {
    super(textOf(said));
    this.said = said;
  }
}
