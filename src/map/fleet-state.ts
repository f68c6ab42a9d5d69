// The vehicles as the pages know them, and what an answer changes about them.
import type { LiveMessage, MapProblem, MapVehicle } from './shapes.js';

export class FleetState {
  #vehicles: readonly MapVehicle[] = [];
  /** Each vehicle as JSON, by its id. */
  #texts: ReadonlyMap<string, string> = new Map();
  #at: number | null = null;
  #problem: MapProblem | null = null;

  /** What a page that has just been opened must be told. */
  greeting(): readonly LiveMessage[] {
    return [
      ...(this.#at === null ? [] : [{ kind: 'fleet', at: this.#at, vehicles: this.#vehicles } as const]),
      ...(this.#problem === null ? [] : [{ kind: 'problem', problem: this.#problem, isEnd: false } as const]),
    ];
  }

  /** Takes all vehicles, and returns the message for the pages that knew the ones before. `at`: when they arrived. */
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

  fail(problem: MapProblem): LiveMessage {
    this.#problem = problem;
    return { kind: 'problem', problem, isEnd: false };
  }
}
