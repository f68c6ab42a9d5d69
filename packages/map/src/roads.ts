// Collects driven roads as thin lines for a map without tiles.
import type { Fix } from 'fleet-telematics/kit';
import { greatCircleKm } from 'fleet-telematics/kit';
import type { MapRoads } from './shapes.js';

/** Closer positions are invisible in a thin line. */
const STEP_KM = 0.05;
/** The road between positions farther apart is unknown. */
const JUMP_KM = 5;

interface Line {
  last: Fix;
  readonly points: Fix[];
}

export class Roads {
  readonly #lines: Line[] = [];
  readonly #current = new Map<string, Line>();

  /** Expects the positions of a vehicle in time order. */
  add(vehicleId: string, fix: Fix): void {
    const line = this.#current.get(vehicleId);
    const km = line === undefined ? Number.POSITIVE_INFINITY : greatCircleKm(line.last, fix);
    if (line !== undefined && km < STEP_KM) return;
    if (line !== undefined && km <= JUMP_KM) {
      line.points.push(fix);
      line.last = fix;
      return;
    }
    const newLine = { last: fix, points: [fix] };
    this.#current.set(vehicleId, newLine);
    this.#lines.push(newLine);
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
