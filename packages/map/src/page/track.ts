// Decodes the track of a vehicle, and finds its position at a time.
import type { TrackColumns } from '../shapes.js';
import { headingBetween, xOf, yOf } from './mercator.js';

/** In time order. */
export interface Track {
  /** Milliseconds since 1970. */
  readonly times: Float64Array;
  /** In the Mercator unit square. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** In km/h; -1 when unknown. */
  readonly speeds: Int16Array;
  /** 1 where a new line begins. */
  readonly begins: Uint8Array;
}

export function decodeTrack({ start, times, latitudes, longitudes, speeds, breaks }: TrackColumns): Track {
  const count = times.length;
  const track = {
    times: new Float64Array(count),
    x: new Float64Array(count),
    y: new Float64Array(count),
    speeds: Int16Array.from(speeds),
    begins: new Uint8Array(count),
  };
  let [time, latitude, longitude] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    time += times[i] ?? 0;
    latitude += latitudes[i] ?? 0;
    longitude += longitudes[i] ?? 0;
    track.times[i] = start + time * 1_000;
    track.x[i] = xOf(longitude / 100_000);
    track.y[i] = yOf(latitude / 100_000);
  }
  if (count > 0) track.begins[0] = 1;
  for (const index of breaks) track.begins[index] = 1;
  return track;
}

/** Returns the last index at or before a time, or -1. */
export function indexAt({ times }: Pick<Track, 'times'>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface TrackPlace {
  readonly x: number;
  readonly y: number;
  /** Degrees clockwise from north; null while standing. */
  readonly heading: number | null;
  /** In km/h; null when unknown. */
  readonly speed: number | null;
}

/** Interpolates linearly; null before the first position. */
export function placeAt(track: Track, time: number): TrackPlace | null {
  const index = indexAt(track, time);
  if (index < 0) return null;
  const at = (column: ArrayLike<number>, i: number) => column[i] ?? 0;
  const [x, y, speed] = [at(track.x, index), at(track.y, index), at(track.speeds, index)];
  const here = { x, y, heading: null, speed: speed < 0 ? null : speed };
  const next = index + 1;
  if (next >= track.times.length || at(track.begins, next) === 1) return here;
  const [toX, toY] = [at(track.x, next), at(track.y, next)];
  if (toX === x && toY === y) return here;
  const begin = at(track.times, index);
  const part = (time - begin) / (at(track.times, next) - begin || 1);
  return {
    x: x + (toX - x) * part,
    y: y + (toY - y) * part,
    heading: headingBetween(x, y, toX, toY),
    speed: here.speed,
  };
}

/** Returns indices: line ends, and positions at least `step` (in the unit square) apart. */
export function visiblePositions({ x, y, begins, times }: Track, step: number): Int32Array {
  const indices = new Int32Array(times.length);
  let count = 0;
  let [lastX, lastY] = [0, 0];
  for (let i = 0; i < times.length; i++) {
    const [hereX, hereY] = [x[i] ?? 0, y[i] ?? 0];
    const isEnd = begins[i] === 1 || i === times.length - 1 || begins[i + 1] === 1;
    if (!isEnd && Math.abs(hereX - lastX) < step && Math.abs(hereY - lastY) < step) continue;
    indices[count++] = i;
    [lastX, lastY] = [hereX, hereY];
  }
  return indices.slice(0, count);
}
