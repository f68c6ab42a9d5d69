// Decides which positions of a vehicle are accepted, for distances, tracks and the map. Receivers
// repeat their last position in a tunnel, jump for a moment, and wander around a parked vehicle.
import { greatCircleKm } from '../core/geo.js';
import { isPosition } from './positions.js';

/** The error of positions: a shorter step gives no speed, and may occur at rest. */
export const POSITION_NOISE_KM = 0.1;
const MINUTE_MS = 60_000;
/** A vehicle that stands again within this time has not driven meanwhile. */
const AT_REST_MS = 15_000;

/** The position of a snapshot with a GPS fix. */
export interface Located {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Receives accepted positions. `isNewPlace`: the path from the previous position is unknown. */
export type OnAcceptedFix<Fix> = (fix: Fix, isNewPlace: boolean) => void;

/** The state of a cleaner, from which another one can continue. */
export interface CleanerState<Fix extends Located> {
  readonly last: Fix | null;
  readonly since: number;
  readonly until: number;
  readonly isAtRest: boolean;
  readonly suspect: Fix | null;
}

export class PositionCleaner<Fix extends Located> {
  readonly #maxSpeedKmh: number;
  readonly #onAccepted: OnAcceptedFix<Fix>;
  last: Fix | null = null;
  /** When the receiver first reported the last position. */
  #since = 0;
  /** When the receiver last reported it. */
  #until = 0;
  #isAtRest = false;
  /** An unreachable position, or a distant one at rest. Accepted when the next position agrees. */
  #suspect: Fix | null = null;

  /** Accepted positions are passed on in order of time. */
  constructor(fastestKmh: number, onAccepted: OnAcceptedFix<Fix>, state?: CleanerState<Fix>) {
    this.#maxSpeedKmh = fastestKmh;
    this.#onAccepted = onAccepted;
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

  /** `isAtRest`: the vehicle reports that it stands, so small moves are ignored. */
  add(fix: Fix, isAtRest: boolean): void {
    const last = this.last;
    const suspectBefore = this.#suspect;
    switch (this.#classify(fix, isAtRest)) {
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
        if (last === null || suspectBefore === null) break;
        // The last position was wrong, or the receiver had repeated it while the vehicle drove on.
        const isRepeated = this.#isPossible(this.#since, suspectBefore.time, greatCircleKm(last, suspectBefore));
        this.#take(suspectBefore, isAtRest, !isRepeated);
        this.#take(fix, isAtRest, false);
      }
    }
  }

  /** Returns true when the next position would be accepted. Changes nothing. */
  accepts(fix: Located, isAtRest: boolean): boolean {
    const verdict = this.#classify(fix, isAtRest);
    return verdict !== 'doubted' && verdict !== 'none';
  }

  /** Returns `same` for an unchanged place, `agrees` for a fix that confirms the suspect. */
  #classify(fix: Located, isAtRest: boolean): 'none' | 'same' | 'next' | 'doubted' | 'agrees' {
    if (!isPosition(fix.latitude, fix.longitude)) return 'none';
    const last = this.last;
    if (last === null) return 'next';
    const km = greatCircleKm(last, fix);
    const staysAtRest = isAtRest && this.#isAtRest;
    if (km === 0 || (staysAtRest && km <= POSITION_NOISE_KM)) return 'same';
    const wasSeenAtRest = staysAtRest && fix.time - this.#until <= AT_REST_MS;
    if (!wasSeenAtRest && this.#isPossible(this.#until, fix.time, km)) return 'next';
    const suspectBefore = this.#suspect;
    const agrees =
      suspectBefore !== null && this.#isPossible(suspectBefore.time, fix.time, greatCircleKm(suspectBefore, fix));
    return agrees ? 'agrees' : 'doubted';
  }

  /** Records that the vehicle moves without a known position. */
  endRest(): void {
    this.#isAtRest = false;
  }

  #take(fix: Fix, isAtRest: boolean, isNewPlace: boolean): void {
    this.last = fix;
    this.#since = fix.time;
    this.#until = fix.time;
    this.#isAtRest = isAtRest;
    this.#suspect = null;
    this.#onAccepted(fix, isNewPlace);
  }

  /** Returns the kilometres to a reachable fix; null if `last` was not accepted at `time`. */
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
    this.#onAccepted(isExact ? fix : { ...fix, latitude, longitude }, false);
  }

  #isPossible(from: number, to: number, km: number): boolean {
    // Some services send times without seconds, so positions of one minute share a time.
    const ms = to === from && to % MINUTE_MS === 0 ? MINUTE_MS : to - from;
    return km <= POSITION_NOISE_KM + (this.#maxSpeedKmh * ms) / 3_600_000;
  }
}
