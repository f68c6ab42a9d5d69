class DrivenTrack {
  #fixes = [];
  add(fix) {
    const fixes = this.#fixes;
    if (isSamePlace(fixes.at(-1), fix) && isSamePlace(fixes.at(-2), fix)) fixes.pop();
    fixes.push(fix);
  }
  clear() {
    this.#fixes = [];
  }
  /** From this time on. */
  toPoints(from = Number.NEGATIVE_INFINITY) {
    return this.#fixes.filter(({ time }) => time >= from).map(({ time, latitude, longitude }) => ({
      time: new Date(time).toISOString(),
      latitude,
      longitude
    }));
  }
}
function isSamePlace(one, other) {
  return one !== void 0 && one.latitude === other.latitude && one.longitude === other.longitude;
}
export {
  DrivenTrack
};
