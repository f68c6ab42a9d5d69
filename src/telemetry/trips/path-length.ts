// The length of the way along believed positions. Positions a second apart are nearer to each other than they are accurate, so the sum of
// their steps is too long: it is measured in longer steps, and a corner on the way makes two of one.
import { greatCircleKm, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../core/geo.js';
import type { Located } from '../position-cleaner.js';

/** Steps of this length hide the noise of the positions. */
const STEP_KM = 0.05;
/** A position that is this far from the straight way is a corner, and no noise. */
const CORNER_METRES = 15;
/** At most so many positions of a step are looked at for a corner. */
const MAX_ON_THE_WAY = 32;
/** Between positions that are farther apart than this the road is longer than the straight line. */
const SPARSE_MS = 60_000;

export class PathLength {
  /** Kilometres so far. */
  km = 0;
  /** Whether there were two positions. */
  hasSteps = false;
  /** Kilometres of straight lines that may leave out much of the road. */
  sparseKm = 0;
  #kmBefore = 0;
  #stepFrom: Located | null = null;
  /** The positions since `stepFrom`; every second one, every fourth and so on when there are many. */
  #onTheWay: Located[] = [];
  #keepEvery = 1;
  #skipped = 0;
  /** The time of the position before. */
  #time = 0;

  /** `isNewPlace`: the way from the position before is not known, and does not count. */
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
    if (this.#onTheWay.length > 0) this.#onTheWay = [];
    this.#keepEvery = 1;
    this.#skipped = 0;
  }

  #pass(position: Located): void {
    this.#time = position.time;
    if (++this.#skipped < this.#keepEvery) return;
    this.#skipped = 0;
    this.#onTheWay.push(position);
    if (this.#onTheWay.length < MAX_ON_THE_WAY) return;
    this.#onTheWay = this.#onTheWay.filter((_, index) => index % 2 === 1);
    this.#keepEvery *= 2;
  }

  /** The position on the way that is farthest from the straight line, if it is a corner. */
  #cornerTo(from: Located, to: Located): Located | null {
    if (this.#onTheWay.length === 0) return null;
    const metresEast = METRES_PER_DEGREE * Math.cos(from.latitude * RADIANS_PER_DEGREE);
    const east = (to.longitude - from.longitude) * metresEast;
    const north = (to.latitude - from.latitude) * METRES_PER_DEGREE;
    const length = Math.hypot(east, north);
    let farthest = CORNER_METRES;
    let corner: Located | null = null;
    for (const position of this.#onTheWay) {
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
