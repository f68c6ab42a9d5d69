// Where the page gets its data from: the program that serves it, or the file itself.
import type { LiveMessage, MapDay, MapGeofence, MapProblem, MapRoads } from '../shapes.js';

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
  roads(): Promise<MapRoads>;
}

/** What went wrong, in the words of the program. */
export class ProblemError extends Error {
  readonly problem: MapProblem;

  constructor(problem: MapProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
