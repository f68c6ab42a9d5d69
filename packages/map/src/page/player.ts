// The time of the slider, and its playback.

export class Player {
  from = 0;
  to = 0;
  at = 0;
  isPlaying = false;
  /** Seconds of the day per second. */
  rate = 120;
  #last: number | null = null;

  /** Keeps a time inside the period, otherwise goes to the end. */
  open(from: number, to: number, at: number | null): void {
    this.from = from;
    this.to = to;
    this.at = at !== null && at >= from && at <= to ? at : to;
    this.pause();
  }

  /** A time at the end stays at the end. */
  grow(to: number): void {
    const isAtEnd = this.at >= this.to && !this.isPlaying;
    this.to = Math.max(this.to, to);
    if (isAtEnd) this.at = this.to;
  }

  /** At the end, restarts at `start`. */
  play(start = this.from): void {
    if (this.at >= this.to) this.at = start;
    this.isPlaying = true;
    this.#last = null;
  }

  pause(): void {
    this.isPlaying = false;
  }

  seek(at: number): void {
    this.at = Math.max(this.from, Math.min(this.to, at));
  }

  /** `now`: a monotonic clock in milliseconds. */
  tick(now: number): void {
    if (!this.isPlaying) return;
    // Limits the step, so that playback does not jump after a hidden tab.
    if (this.#last !== null) this.seek(this.at + Math.min(250, now - this.#last) * this.rate);
    this.#last = now;
    if (this.at >= this.to) this.pause();
  }
}
