// The time of the slider, which can run.

export class Player {
  from = 0;
  to = 0;
  at = 0;
  isPlaying = false;
  /** Seconds of the day per second. */
  rate = 120;
  #last: number | null = null;

  /** Another period; the time stays when it is in it, otherwise it is the end. */
  open(from: number, to: number, at: number | null): void {
    this.from = from;
    this.to = to;
    this.at = at !== null && at >= from && at <= to ? at : to;
    this.pause();
  }

  /** The period has grown; a time at the end stays at the end. */
  grow(to: number): void {
    const isAtEnd = this.at >= this.to && !this.isPlaying;
    this.to = Math.max(this.to, to);
    if (isAtEnd) this.at = this.to;
  }

  /** From the end it begins again at `start`. */
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

  /** `now`: milliseconds of a clock that only goes forward. Stops at the end. */
  tick(now: number): void {
    if (!this.isPlaying) return;
    // After a hidden tab the time has not run on.
    if (this.#last !== null) this.seek(this.at + Math.min(250, now - this.#last) * this.rate);
    this.#last = now;
    if (this.at >= this.to) this.pause();
  }
}
