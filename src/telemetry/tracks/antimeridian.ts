// Cuts lines at the antimeridian (RFC 7946, 3.1.9): uncut, they are drawn around the world.
import type { Position } from './geometry.js';

/** A position of a cut line. */
export interface LinePoint {
  readonly position: Position;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The index in the whole line; at a cut, the index before it. */
  readonly index: number;
}

/** Returns the line, or its parts: each cut ends at one side and begins at the other. */
export function cutAtAntimeridian(
  positions: readonly Position[],
  timeOf: (index: number) => number,
): readonly (readonly LinePoint[])[] {
  let line: LinePoint[] = [];
  const lines = [line];
  for (const [index, position] of positions.entries()) {
    const place = { position, time: timeOf(index), index };
    const before = line.at(-1);
    if (before && Math.abs(longitudeOf(position) - longitudeOf(before.position)) > 180) {
      const [end, begin] = cutEnds(before, place);
      line.push(end);
      line = [begin];
      lines.push(line);
    }
    line.push(place);
  }
  return lines;
}

function cutEnds(one: LinePoint, other: LinePoint): readonly [end: LinePoint, begin: LinePoint] {
  const side = longitudeOf(one.position) > 0 ? 180 : -180;
  const [toSide, fromSide] = [side - longitudeOf(one.position), longitudeOf(other.position) + side];
  const whole = toSide + fromSide;
  const share = whole === 0 ? 0 : toSide / whole;
  const between = (from: number, to: number) => from + (to - from) * share;
  const [, ...rest] = one.position.map((value, axis) => between(value, other.position[axis] ?? value));
  const time = Math.round(between(one.time, other.time));
  const at = (longitude: number): LinePoint => ({ position: [longitude, ...rest], time, index: one.index });
  return [at(side), at(-side)];
}

function longitudeOf([longitude = 0]: Position): number {
  return longitude;
}
