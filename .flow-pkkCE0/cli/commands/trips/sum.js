class Sum {
  #vehicles = /* @__PURE__ */ new Set();
  #counters = /* @__PURE__ */ new Set();
  #trips = 0;
  #distance = 0;
  #duration = 0;
  #moving = 0;
  #idle = 0;
  #unseen = 0;
  #fuel = null;
  #topSpeedKmh = null;
  /** `isNew`: false for another part of a trip that has been counted. */
  add(part, isNew = true) {
    if (isNew) this.#trips++;
    this.#vehicles.add(part.vehicleId);
    this.#distance += thousandths(part.distanceKm);
    this.#duration += thousandths(part.durationSeconds);
    this.#moving += thousandths(part.movingSeconds);
    this.#idle += thousandths(part.idleSeconds);
    this.#unseen += thousandths(part.unseenSeconds);
    if (part.topSpeedKmh !== null) this.#topSpeedKmh = Math.max(this.#topSpeedKmh ?? 0, part.topSpeedKmh);
    if (part.fuelUsed === null) return;
    this.#fuel = (this.#fuel ?? 0) + thousandths(part.fuelUsed);
    if (part.fuelBy !== null) this.#counters.add(part.fuelBy);
  }
  get values() {
    return {
      distanceKm: this.#distance / 1e3,
      trips: this.#trips,
      vehicles: this.#vehicles.size,
      durationSeconds: this.#duration / 1e3,
      movingSeconds: this.#moving / 1e3,
      idleSeconds: this.#idle / 1e3,
      unseenSeconds: this.#unseen / 1e3,
      topSpeedKmh: this.#topSpeedKmh,
      fuelUsed: this.#fuel === null ? null : this.#fuel / 1e3,
      fuelBy: [...this.#counters].sort().join(";") || null
    };
  }
}
function thousandths(value) {
  return Math.round(value * 1e3);
}
export {
  Sum,
  thousandths
};
