class DegradedMode {
  #timers;
  #quiet;
  #onEnd;
  #quietMs;
  /** When it began, or when there was the last sign that it is still necessary; null when it is off. */
  #lastSign = null;
  #endedAt = null;
  /** `onEnd` is called when somebody asks for the mode after its quiet time: there is no timer. */
  constructor(timers, quiet, onEnd) {
    this.#timers = timers;
    this.#quiet = quiet;
    this.#onEnd = onEnd;
    this.#quietMs = quiet.firstMs;
  }
  get isOn() {
    if (this.#lastSign === null) return false;
    const now = this.#timers.now();
    if (now - this.#lastSign < this.#quietMs) return true;
    this.#lastSign = null;
    this.#endedAt = now;
    this.#onEnd();
    return false;
  }
  /** How long it lasts from the last sign on, in milliseconds. */
  get quietMs() {
    return this.#quietMs;
  }
  /** Another sign that it is necessary. True when it begins with this one. */
  begin() {
    const isOn = this.isOn;
    const now = this.#timers.now();
    if (!isOn) {
      const isNew = this.#endedAt === null || now - this.#endedAt >= this.#quietMs;
      this.#quietMs = isNew ? this.#quiet.firstMs : Math.min(this.#quiet.longestMs, this.#quietMs * 2);
    }
    this.#lastSign = now;
    return !isOn;
  }
}
export {
  DegradedMode
};
