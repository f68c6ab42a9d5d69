// The way a vehicle has gone by its positions: without 0,0 (no fix yet), and without jumps no vehicle can make.
import { greatCircleKm } from './great-circle.js';
import type { TripPosition } from './trip.js';

/** Positions are right to some metres, so a short step says nothing of a speed. */
const NOISE_KM = 0.1;

interface Fix extends TripPosition {
  readonly time: number;
}

export class DrivenPath {
  readonly #fastestKmh: number;
  first: TripPosition | null = null;
  last: TripPosition | null = null;
  /** Kilometres so far. */
  km = 0;
  /** How many steps the distance is made of. */
  steps = 0;
  #trusted: Fix | null = null;
  /** A position that was too far away to be true, unless the next one agrees with it. */
  #doubted: Fix | null = null;

  constructor(fastestKmh: number) {
    this.#fastestKmh = fastestKmh;
  }

  add(time: number, latitude: number, longitude: number): void {
    if (!isFix(latitude, longitude)) return;
    const fix = { time, latitude, longitude };
    const before = this.#trusted;
    const km = before === null ? 0 : this.#stepKm(before, fix);
    if (km === null) {
      this.#doubted = fix;
      return;
    }
    if (before !== null) this.steps++;
    this.km += km;
    this.#trusted = fix;
    this.#doubted = null;
    this.last = fix;
    this.first ??= fix;
  }

  /** Kilometres from where the vehicle is to be trusted to have been; null when it cannot have gone so far. */
  #stepKm(before: Fix, fix: Fix): number | null {
    const km = greatCircleKm(before, fix);
    if (this.#isPossible(before, fix, km)) return km;
    const doubted = this.#doubted;
    if (doubted === null) return null;
    // Two agree, so it was the position before them that was wrong; the way between is not known and not counted.
    const kmOn = greatCircleKm(doubted, fix);
    return this.#isPossible(doubted, fix, kmOn) ? kmOn : null;
  }

  #isPossible(from: Fix, to: Fix, km: number): boolean {
    const hours = (to.time - from.time) / 3_600_000;
    return km <= NOISE_KM + this.#fastestKmh * hours;
  }
}

function isFix(latitude: number, longitude: number): boolean {
  if (latitude === 0 && longitude === 0) return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
