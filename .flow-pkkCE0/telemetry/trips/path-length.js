import { greatCircleKm, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from "../../core/geo.js";
const STEP_KM = 0.05;
const CORNER_METRES = 15;
const MAX_ON_THE_WAY = 32;
const SPARSE_MS = 6e4;
class PathLength {
  /** Kilometres so far. */
  km = 0;
  /** Whether there were two positions. */
  hasSteps = false;
  /** Kilometres of straight lines that may leave out much of the road. */
  sparseKm = 0;
  #kmBefore = 0;
  #stepFrom = null;
  /** The positions since `stepFrom`; every second one, every fourth and so on when there are many. */
  #onTheWay = [];
  #keepEvery = 1;
  #skipped = 0;
  /** The time of the position before. */
  #time = 0;
  /** `isNewPlace`: the way from the position before is not known, and does not count. */
  add(position, isNewPlace) {
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
  #startStep(position) {
    this.#kmBefore = this.km;
    this.#time = position.time;
    this.#stepFrom = position;
    if (this.#onTheWay.length > 0) this.#onTheWay = [];
    this.#keepEvery = 1;
    this.#skipped = 0;
  }
  #pass(position) {
    this.#time = position.time;
    if (++this.#skipped < this.#keepEvery) return;
    this.#skipped = 0;
    this.#onTheWay.push(position);
    if (this.#onTheWay.length < MAX_ON_THE_WAY) return;
    this.#onTheWay = this.#onTheWay.filter((_, index) => index % 2 === 1);
    this.#keepEvery *= 2;
  }
  /** The position on the way that is farthest from the straight line, if it is a corner. */
  #cornerTo(from, to) {
    if (this.#onTheWay.length === 0) return null;
    const metresEast = METRES_PER_DEGREE * Math.cos(from.latitude * RADIANS_PER_DEGREE);
    const east = (to.longitude - from.longitude) * metresEast;
    const north = (to.latitude - from.latitude) * METRES_PER_DEGREE;
    const length = Math.hypot(east, north);
    let farthest = CORNER_METRES;
    let corner = null;
    for (const position of this.#onTheWay) {
      const across = (position.longitude - from.longitude) * metresEast * north - (position.latitude - from.latitude) * METRES_PER_DEGREE * east;
      const metres = Math.abs(across) / length;
      if (metres <= farthest) continue;
      farthest = metres;
      corner = position;
    }
    return corner;
  }
}
export {
  PathLength
};
