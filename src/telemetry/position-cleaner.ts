// Decides which positions of a vehicle are believed. Receivers repeat their last position in a tunnel, jump for a moment, and wander around
// a parked vehicle. Distances, tracks and the map use what is left.
import { greatCircleKm } from '../core/geo.js';
import { isPosition } from './positions.js';

/** Positions are accurate to some metres, so a short step says nothing about the speed, and a standing vehicle seems to move. */
export const POSITION_NOISE_KM = 0.1;
const MINUTE_MS = 60_000;
/** A vehicle that stands, and stands again so soon, has not driven meanwhile. */
const AT_REST_MS = 15_000;

/** The position of a snapshot whose device has a fix. */
export interface Located {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** `isNewPlace`: how the vehicle came there from the believed position before is not known. */
export type Believe<Fix> = (fix: Fix, isNewPlace: boolean) => void;

/** The state of a cleaner, which another one can continue. */
export interface CleanerState<Fix extends Located> {
  readonly last: Fix | null;
  readonly since: number;
  readonly until: number;
  readonly isAtRest: boolean;
  readonly suspect: Fix | null;
}

export class PositionCleaner<Fix extends Located> {
  readonly #maxSpeedKmh: number;
  readonly #believe: Believe<Fix>;
  /** The last believed position. */
  last: Fix | null = null;
  /** Since when the vehicle has been at the last believed position, as far as its receiver says. */
  #since = 0;
  /** When it was last there. */
  #until = 0;
  #isAtRest = false;
  /** A position that was impossibly far away, or far away while the vehicle stands. It counts when the next position agrees with it. */
  #suspect: Fix | null = null;

  /** `believe` gets the positions that count, in order of time. */
  constructor(fastestKmh: number, believe: Believe<Fix>, state?: CleanerState<Fix>) {
    this.#maxSpeedKmh = fastestKmh;
    this.#believe = believe;
    if (state === undefined) return;
    this.last = state.last;
    this.#since = state.since;
    this.#until = state.until;
    this.#isAtRest = state.isAtRest;
    this.#suspect = state.suspect;
  }

  get state(): CleanerState<Fix> {
    const { last } = this;
    return { last, since: this.#since, until: this.#until, isAtRest: this.#isAtRest, suspect: this.#suspect };
  }

  /** `isAtRest`: the vehicle says that it stands, so that small moves of its position are none. */
  add(fix: Fix, isAtRest: boolean): void {
    const last = this.last;
    const doubted = this.#suspect;
    switch (this.#judge(fix, isAtRest)) {
      case 'next':
        this.#take(fix, isAtRest, false);
        break;
      case 'same':
        if (last !== null) this.#stay(last, fix, isAtRest);
        break;
      case 'doubted':
        this.#suspect = fix;
        break;
      case 'agrees': {
        if (last === null || doubted === null) break;
        // The position before them was wrong, or the receiver had repeated it while the vehicle drove on.
        const isRepeated = this.#isPossible(this.#since, doubted.time, greatCircleKm(last, doubted));
        this.#take(doubted, isAtRest, !isRepeated);
        this.#take(fix, isAtRest, false);
      }
    }
  }

  /** Whether the next position would be believed. Changes nothing. */
  believes(fix: Located, isAtRest: boolean): boolean {
    const judgement = this.#judge(fix, isAtRest);
    return judgement !== 'doubted' && judgement !== 'none';
  }

  /** `same`: the vehicle is where it was. `agrees`: with the position before it that was doubted. */
  #judge(fix: Located, isAtRest: boolean): 'none' | 'same' | 'next' | 'doubted' | 'agrees' {
    if (!isPosition(fix.latitude, fix.longitude)) return 'none';
    const last = this.last;
    if (last === null) return 'next';
    const km = greatCircleKm(last, fix);
    const staysAtRest = isAtRest && this.#isAtRest;
    if (km === 0 || (staysAtRest && km <= POSITION_NOISE_KM)) return 'same';
    const wasSeenAtRest = staysAtRest && fix.time - this.#until <= AT_REST_MS;
    if (!wasSeenAtRest && this.#isPossible(this.#until, fix.time, km)) return 'next';
    const doubted = this.#suspect;
    const agrees = doubted !== null && this.#isPossible(doubted.time, fix.time, greatCircleKm(doubted, fix));
    return agrees ? 'agrees' : 'doubted';
  }

  /** The vehicle moves, and its position is not known. */
  leave(): void {
    this.#isAtRest = false;
  }

  #take(fix: Fix, isAtRest: boolean, isNewPlace: boolean): void {
    this.last = fix;
    this.#since = fix.time;
    this.#until = fix.time;
    this.#isAtRest = isAtRest;
    this.#suspect = null;
    this.#believe(fix, isNewPlace);
  }

  /** Kilometres from the last position, if it was believed at a time, to a fix that is possible; else null. */
  stepFrom(time: number, fix: Located): number | null {
    const last = this.last;
    if (last === null || this.#until !== time || !isPosition(fix.latitude, fix.longitude)) return null;
    const km = greatCircleKm(last, fix);
    return this.#isPossible(time, fix.time, km) ? km : null;
  }

  #stay({ latitude, longitude }: Fix, fix: Fix, isAtRest: boolean): void {
    this.#until = fix.time;
    this.#isAtRest = isAtRest;
    this.#suspect = null;
    const isExact = fix.latitude === latitude && fix.longitude === longitude;
    this.#believe(isExact ? fix : { ...fix, latitude, longitude }, false);
  }

  #isPossible(from: number, to: number, km: number): boolean {
    // Some services give times without seconds: then positions of one minute have one time.
    const ms = to === from && to % MINUTE_MS === 0 ? MINUTE_MS : to - from;
    return km <= POSITION_NOISE_KM + (this.#maxSpeedKmh * ms) / 3_600_000;
  }
}
