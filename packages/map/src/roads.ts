// The roads that vehicles have driven, as thin lines for a map without tiles.

import type { Fix } from 'fleet-telematics/kit';
import { greatCircleKm } from 'fleet-telematics/kit';
import type { MapRoads } from './shapes.js';

/** Nearer positions add nothing to a line that is drawn thin and far away. */
const STEP_KM = 0.05;
/** A longer way between two positions is not known. */
const JUMP_KM = 5;

interface Line {
  last: Fix;
  readonly points: Fix[];
}

export class Roads {
  readonly #lines: Line[] = [];
  readonly #current = new Map<string, Line>();

  /** The positions of a vehicle must come in order of time. */
  add(vehicleId: string, fix: Fix): void {
    const line = this.#current.get(vehicleId);
    const km = line === undefined ? Number.POSITIVE_INFINITY : greatCircleKm(line.last, fix);
    if (line !== undefined && km < STEP_KM) return;
    if (line !== undefined && km <= JUMP_KM) {
      line.points.push(fix);
      line.last = fix;
      return;
    }
    const begun = { last: fix, points: [fix] };
    this.#current.set(vehicleId, begun);
    this.#lines.push(begun);
  }

  toShape(): MapRoads['lines'] {
    return this.#lines.filter(({ points }) => points.length > 1).map(({ points }) => differences(points));
  }
}

function differences(points: readonly Fix[]): readonly number[] {
  let [longitude, latitude] = [0, 0];
  return points.flatMap((point) => {
    const [x, y] = [Math.round(point.longitude * 100_000), Math.round(point.latitude * 100_000)];
    const step = [x - longitude, y - latitude];
    [longitude, latitude] = [x, y];
    return step;
  });
}
