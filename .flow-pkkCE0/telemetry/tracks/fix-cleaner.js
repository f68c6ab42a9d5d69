import { PositionCleaner } from "../position-cleaner.js";
import { defaultLimits } from "../trips/trip-limits.js";
class FixCleaner {
  #believed = [];
  #cleaner = new PositionCleaner(defaultLimits.fastestKmh, (fix, isNewPlace) => {
    this.#believed.push({ fix, isNewPlace });
  });
  /** Takes the next fix of the vehicle in order of time, and returns those that count now. */
  add(fix) {
    const { speed } = fix;
    this.#believed = [];
    this.#cleaner.add(fix, speed !== null && speed < defaultLimits.movingKmh);
    return this.#believed;
  }
}
export {
  FixCleaner
};
