// Encodes tracks in a third of their size: each position as the error of a prediction. Errors along
// and across the track are separate columns, because those across are smaller. Every browser must
// compute the same bits: arithmetic and roots guarantee it, sines do not.
import type { TrackColumns } from '../shapes.js';
import { ByteReader, ByteWriter } from './bytes.js';

/** The data of a track outside the columns. */
export interface TrackHead {
  readonly start: number;
  readonly count: number;
  readonly breaks: readonly number[];
}

/** One column of all tracks together, because similar values compress best. */
export type TrackBytes = readonly [times: Uint8Array, speeds: Uint8Array, along: Uint8Array, across: Uint8Array];

/** One unit: a hundred-thousandth of a degree. */
const METRES_PER_UNIT = 1.112;
/** A prediction after a longer gap is useless. */
const LONGEST_GUESS_SECONDS = 120;

export function headOf({ start, times, breaks }: TrackColumns): TrackHead {
  return { start, count: times.length, breaks };
}

export function encodeTracks(tracks: readonly TrackColumns[]): TrackBytes {
  const [times, speeds, along, across] = [new ByteWriter(), new ByteWriter(), new ByteWriter(), new ByteWriter()];
  for (const track of tracks) {
    const walk = new Walk();
    let speed = 0;
    track.times.forEach((seconds, i) => {
      const now = track.speeds[i] ?? -1;
      times.add(seconds);
      speeds.add(now - speed);
      const [x, y] = [track.longitudes[i] ?? 0, track.latitudes[i] ?? 0];
      const [guessX, guessY] = walk.predict(seconds, speed, now);
      const [ahead, aside] = walk.turned(x - guessX, y - guessY);
      along.add(ahead);
      across.add(aside);
      walk.step(x, y);
      speed = now;
    });
  }
  return [times.bytes, speeds.bytes, along.bytes, across.bytes];
}

export function decodeTracks(heads: readonly TrackHead[], bytes: TrackBytes): readonly TrackColumns[] {
  const [times, speeds, along, across] = bytes.map((column) => new ByteReader(column));
  if (!times || !speeds || !along || !across) return [];
  return heads.map(({ start, count, breaks }) => {
    const track = { times: Array<number>(count), speeds: Array<number>(count) };
    const [longitudes, latitudes] = [Array<number>(count), Array<number>(count)];
    const walk = new Walk();
    let speed = 0;
    for (let i = 0; i < count; i++) {
      const [seconds, now] = [times.next(), speed + speeds.next()];
      const [guessX, guessY] = walk.predict(seconds, speed, now);
      const [missX, missY] = walk.turnedBack(along.next(), across.next());
      const [x, y] = [guessX + missX, guessY + missY];
      walk.step(x, y);
      track.times[i] = seconds;
      track.speeds[i] = now;
      longitudes[i] = x;
      latitudes[i] = y;
      speed = now;
    }
    return { start, breaks, ...track, latitudes, longitudes };
  });
}

class Walk {
  #latitude = 0;
  /** The last step with a movement. */
  #dx = 0;
  #dy = 0;
  #hasBegun = false;

  /** Predicts the next step from the last one. A series replaces the cosine: see the top. */
  predict(seconds: number, speedBefore: number, speed: number): readonly [x: number, y: number] {
    if (speedBefore < 0 || speed < 0 || seconds > LONGEST_GUESS_SECONDS) return [0, 0];
    const radians = (this.#latitude / 100_000) * (Math.PI / 180);
    const square = radians * radians;
    const narrowing = 1 - square / 2 + (square * square) / 24;
    const wide = this.#dx * narrowing;
    const length = Math.sqrt(wide * wide + this.#dy * this.#dy);
    // The mean of both speeds, converted from km/h to m/s.
    const steps = ((speedBefore + speed) / 7.2) * (seconds / METRES_PER_UNIT / (length || 1));
    return [Math.round(this.#dx * steps), Math.round(this.#dy * steps)];
  }

  /** Rotates into the direction of the last step. Shears of whole numbers are reversible. */
  turned(x: number, y: number): readonly [along: number, across: number] {
    const { half, sine, sign } = this.#turn();
    let along = x + Math.round(half * y);
    const across = y - Math.round(sine * along);
    along += Math.round(half * across);
    return [sign * along, sign * across];
  }

  turnedBack(along: number, across: number): readonly [x: number, y: number] {
    const { half, sine, sign } = this.#turn();
    let x = sign * along - Math.round(half * sign * across);
    const y = sign * across + Math.round(sine * x);
    x -= Math.round(half * y);
    return [x, y];
  }

  step(x: number, y: number): void {
    this.#latitude += y;
    // The first step goes from the origin to the first position.
    if (this.#hasBegun && (x !== 0 || y !== 0)) [this.#dx, this.#dy] = [x, y];
    this.#hasBegun = true;
  }

  /** Rotates by at most 90°, because shears are small then; `sign` covers other directions. */
  #turn(): { readonly half: number; readonly sine: number; readonly sign: number } {
    const length = Math.sqrt(this.#dx * this.#dx + this.#dy * this.#dy);
    if (length === 0) return { half: 0, sine: 0, sign: 1 };
    const sign = this.#dx < 0 ? -1 : 1;
    const [cosine, sine] = [(sign * this.#dx) / length, (sign * this.#dy) / length];
    return { half: sine / (1 + cosine), sine, sign };
  }
}
