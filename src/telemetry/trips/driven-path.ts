// The distance that a vehicle has driven by its positions, without 0,0 (no fix) and without impossible jumps.

import { greatCircleKm } from '../../core/geo.js';
import { isPosition } from '../positions.js';
import type { DrivenTrack } from './driven-track.js';
import type { TripPosition } from './trip.js';

/** Positions are accurate to some metres, so a short step says nothing about the speed. */
const POSITION_NOISE_KM = 0.1;

interface Fix extends TripPosition {
  readonly time: number;
  /** False when the device said that the position is not valid. It is left out of the track, not of the distance. */
  readonly hasFix: boolean;
}

export class DrivenPath {
  readonly #maxSpeedKmh: number;
  readonly #track: DrivenTrack | null;
  first: TripPosition | null = null;
  last: TripPosition | null = null;
  /** Kilometres so far. */
  km = 0;
  /** Number of steps that make up the distance. */
  steps = 0;
  #lastTrusted: Fix | null = null;
  /** A position that was impossibly far away. It counts when the next position agrees with it. */
  #suspect: Fix | null = null;

  /** `track` gets the positions that count. */
  constructor(fastestKmh: number, track: DrivenTrack | null) {
    this.#maxSpeedKmh = fastestKmh;
    this.#track = track;
  }

  add(time: number, latitude: number, longitude: number, hasFix: boolean): void {
    if (!isPosition(latitude, longitude)) return;
    const fix = { time, latitude, longitude, hasFix };
    const previous = this.#lastTrusted;
    const km = previous === null ? 0 : this.#stepKm(previous, fix);
    if (km === null) {
      this.#suspect = fix;
      return;
    }
    if (previous !== null) this.steps++;
    this.km += km;
    this.#lastTrusted = fix;
    this.#suspect = null;
    this.last = fix;
    this.first ??= fix;
    this.#draw(fix);
  }

  /** Kilometres from the last trusted position; null when the vehicle cannot have driven that far. */
  #stepKm(previous: Fix, fix: Fix): number | null {
    const km = greatCircleKm(previous, fix);
    if (this.#isPossible(previous, fix, km)) return km;
    const doubted = this.#suspect;
    if (doubted === null) return null;
    // Two positions agree, so the one before them was wrong. The distance between is unknown and not counted.
    const kmFromSuspect = greatCircleKm(doubted, fix);
    if (!this.#isPossible(doubted, fix, kmFromSuspect)) return null;
    this.#draw(doubted);
    return kmFromSuspect;
  }

  #draw(fix: Fix): void {
    if (fix.hasFix) this.#track?.add(fix);
  }

  #isPossible(from: Fix, to: Fix, km: number): boolean {
    const hours = (to.time - from.time) / 3_600_000;
    return km <= POSITION_NOISE_KM + this.#maxSpeedKmh * hours;
  }
}
