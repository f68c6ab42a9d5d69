// The vehicles as the pages have them, and the changes of each answer.
import type { LiveMessage, MapProblem, MapVehicle } from './shapes.js';

export class FleetState {
  readonly #now: () => number;
  #vehicles: readonly MapVehicle[] = [];
  /** Each vehicle as JSON, by its id. */
  #texts: ReadonlyMap<string, string> = new Map();
  #at: number | null = null;
  #problem: (LiveMessage & { readonly kind: 'problem' }) | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  greeting(): readonly LiveMessage[] {
    const [at, vehicles] = [this.#at, this.#vehicles];
    return [
      ...(at === null ? [] : [{ kind: 'fleet', at, ageMs: Math.max(0, this.#now() - at), vehicles } as const]),
      ...(this.#problem === null ? [] : [this.#problem]),
    ];
  }

  /** Returns the message with the changes. `at`: the arrival time of `vehicles`. */
  take(vehicles: readonly MapVehicle[], at: number): LiveMessage {
    const texts = new Map(vehicles.map((vehicle) => [vehicle.id, JSON.stringify(vehicle)]));
    const changed = vehicles.filter(({ id }) => texts.get(id) !== this.#texts.get(id));
    const gone = [...this.#texts.keys()].filter((id) => !texts.has(id));
    this.#vehicles = vehicles;
    this.#texts = texts;
    this.#at = at;
    this.#problem = null;
    return { kind: 'changes', at, vehicles: changed, gone };
  }

  /** `waitMs`: time until the retry; null when there is new data. */
  fail(problem: MapProblem, waitMs: number | null): LiveMessage {
    this.#problem = { kind: 'problem', problem, isOutage: waitMs !== null, waitMs, isEnd: false };
    return this.#problem;
  }
}
