// Converts roads and tracks into lines in the Mercator unit square.
import type { MapRoads } from '../shapes.js';
import { xOf, yOf } from './mercator.js';
import type { Track } from './track.js';

/** A line in the Mercator unit square: x and y alternate. */
export type Line = Float64Array;

export function linesOf({ lines }: Pick<MapRoads, 'lines'>): readonly Line[] {
  return lines.map((steps) => {
    let [longitude, latitude] = [0, 0];
    return Float64Array.from(steps, (step, index) => {
      if (index % 2 === 0) longitude += step;
      else latitude += step;
      return index % 2 === 0 ? xOf(longitude / 100_000) : yOf(latitude / 100_000);
    });
  });
}

export function linesOfTrack(
  { x, y, begins, times }: Track,
  { from, to } = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
): readonly Line[] {
  const lines: number[][] = [];
  for (let i = 0; i < x.length; i++) {
    const time = times[i] ?? 0;
    if (time < from || time > to) continue;
    if (begins[i] === 1 || lines.length === 0) lines.push([]);
    lines.at(-1)?.push(x[i] ?? 0, y[i] ?? 0);
  }
  return lines.map((line) => Float64Array.from(line));
}
