// The length of a path along accepted positions. Positions a second apart differ by less than their
// error, so the sum of their steps is too long. Therefore it is measured in longer steps, and a
// corner splits a step.
import { greatCircleKm, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../core/geo.js';
import type { Located } from '../position-cleaner.js';

/** Steps of this length hide the noise of positions. */
const STEP_KM = 0.05;
/** A position this far from the straight line is a corner, not noise. */
const CORNER_METRES = 15;
/** The maximum of positions searched for a corner. */
const MAX_STEP_POSITIONS = 32;
/** Between positions farther apart in time, the road is longer than the straight line. */
const SPARSE_MS = 60_000;

export class PathLength {
  km = 0;
  hasSteps = false;
  /** Kilometres of straight lines that may cut off much of the road. */
  sparseKm = 0;
  #kmBefore = 0;
  #stepFrom: Located | null = null;
  /** The positions since `stepFrom`, thinned out when there are many. */
  #stepPositions: Located[] = [];
  #keepEvery = 1;
  #skipped = 0;
  #time = 0;

  /** `isNewPlace`: the path from the previous position is unknown and does not count. */
  add(position: Located, isNewPlace: boolean): void {
    const from = this.#stepFrom;
    if (from === null || isNewPlace) {
      if (from !== null) this.hasSteps = true;
      this.#startStep(position);
      return;
    }
    this.hasSteps = true;
    const km = greatCircleKm(from, position);
    this.km = this.#kmBefore + km;
    if (km < STEP_KM) {
      this.#pass(position);
      return;
    }
    const corner = this.#cornerTo(from, position);
    if (corner !== null) this.km = this.#kmBefore + greatCircleKm(from, corner) + greatCircleKm(corner, position);
    if (position.time - this.#time > SPARSE_MS) this.sparseKm += km;
    this.#startStep(position);
  }

  #startStep(position: Located): void {
    this.#kmBefore = this.km;
    this.#time = position.time;
    this.#stepFrom = position;
    if (this.#stepPositions.length > 0) this.#stepPositions = [];
    this.#keepEvery = 1;
    this.#skipped = 0;
  }

  #pass(position: Located): void {
    this.#time = position.time;
    if (++this.#skipped < this.#keepEvery) return;
    this.#skipped = 0;
    this.#stepPositions.push(position);
    if (this.#stepPositions.length < MAX_STEP_POSITIONS) return;
    this.#stepPositions = this.#stepPositions.filter((_, index) => index % 2 === 1);
    this.#keepEvery *= 2;
  }

  /** Returns the position farthest from the straight line, if it is a corner. */
  #cornerTo(from: Located, to: Located): Located | null {
    if (this.#stepPositions.length === 0) return null;
    const metresEast = METRES_PER_DEGREE * Math.cos(from.latitude * RADIANS_PER_DEGREE);
    const east = (to.longitude - from.longitude) * metresEast;
    const north = (to.latitude - from.latitude) * METRES_PER_DEGREE;
    const length = Math.hypot(east, north);
    let farthest = CORNER_METRES;
    let corner: Located | null = null;
    for (const position of this.#stepPositions) {
      const across =
        (position.longitude - from.longitude) * metresEast * north -
        (position.latitude - from.latitude) * METRES_PER_DEGREE * east;
      const metres = Math.abs(across) / length;
      if (metres <= farthest) continue;
      farthest = metres;
      corner = position;
    }
    return corner;
  }
}
