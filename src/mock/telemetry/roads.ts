/**
 * Roads between two places: a few blocks of the city's street grid, a curved main road, and blocks again at the other
 * end. A road is a polyline in degrees with a speed limit for each piece and traffic lights at some corners.
 */
import { between, mix, pick, unit } from './hash.js';
import type { Terrain } from './regions.js';

/** Metres east and north of the region's centre. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Road {
  /** Corners, in degrees. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Speed limit in km/h of the piece from corner i to corner i + 1. */
  readonly limits: Float64Array;
  /** Seconds a red light at corner i lasts; 0 where there is none. */
  readonly redLights: Float64Array;
}

/** Metres per degree of latitude on a sphere of the mean radius, 6,371,008.8 m. */
export const metresPerDegree = 111_195.08;
export const radians = Math.PI / 180;

const cityKmh = 50;
const lineKmh = 90;
const blockM = 230;

interface Corner extends Place {
  /** Limit of the piece that ends here. */
  readonly limit: number;
}

function latitudeOf(terrain: Terrain, place: Place): number {
  return terrain.latitude + place.y / metresPerDegree;
}

function longitudeOf(terrain: Terrain, place: Place): number {
  return terrain.longitude + place.x / (metresPerDegree * Math.cos(latitudeOf(terrain, place) * radians));
}

/**
 * Builds the two ways of a line: a main road of a given length without lights, from a place out to the ring around the city and
 * along it, and back.
 */
export function buildLine(terrain: Terrain, from: Place, metres: number, hash: number): readonly [Road, Road] {
  const count = Math.ceil(metres / 600);
  const ring = terrain.reachKm * 1000 * between(hash, 1, 0.76, 0.82);
  const near = Math.hypot(from.x, from.y);
  const angle = Math.atan2(from.y, from.x);
  const spiral = (turn: number): Place[] =>
    Array.from({ length: count + 1 }, (_, i) => {
      const out = Math.min(1, (3 * i) / count);
      const radius = near + (ring - near) * out * out * (3 - 2 * out);
      return {
        x: radius * Math.cos(angle + (turn * i) / count),
        y: radius * Math.sin(angle + (turn * i) / count),
      };
    });
  const length = (places: readonly Place[]): number =>
    places.reduce((sum, { x, y }, i) => sum + Math.hypot(x - (places[i - 1]?.x ?? x), y - (places[i - 1]?.y ?? y)), 0);
  // The farther round, the longer: halve until the length fits to the metre.
  let [low, high] = [0, (2 * metres) / ring];
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2;
    if (length(spiral(middle)) < metres) low = middle;
    else high = middle;
  }
  const corners = spiral(low).map((place) => ({ ...place, limit: lineKmh }));
  return [roadOf(terrain, corners, () => 0), roadOf(terrain, corners.reverse(), () => 0)];
}

/** Builds the road from one place to another. The same arguments give the same road. */
export function buildRoad(terrain: Terrain, from: Place, to: Place, hash: number): Road {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  const corners: Corner[] = [{ ...from, limit: cityKmh }];
  if (distance < 1800) {
    walkBlocks(corners, terrain, from, to, mix(hash, 1));
  } else {
    const streets = Math.min(1300, distance * 0.2);
    const swerve = between(hash, 2, -0.45, 0.45);
    const enter = offset(from, Math.atan2(dy, dx) + swerve, streets);
    const leave = offset(to, Math.atan2(-dy, -dx) + between(hash, 3, -0.45, 0.45), streets);
    walkBlocks(corners, terrain, from, enter, mix(hash, 4));
    followCurve(corners, enter, leave, mix(hash, 5));
    walkBlocks(corners, terrain, leave, to, mix(hash, 6));
  }
  return roadOf(terrain, corners, (fastest, i) => {
    const chance = fastest <= cityKmh ? 0.3 : fastest <= 70 ? 0.1 : 0;
    const draw = mix(hash, 100 + i);
    return unit(draw) < chance ? 8 + pick(draw, 1, 45) : 0;
  });
}

/** Puts a road on the map. `redLight` says how long one lasts at corner i between pieces with this highest limit. */
function roadOf(
  terrain: Terrain,
  corners: readonly Corner[],
  redLight: (fastestKmh: number, i: number) => number,
): Road {
  const count = corners.length;
  const road: Road = {
    latitudes: new Float64Array(count),
    longitudes: new Float64Array(count),
    limits: new Float64Array(count - 1),
    redLights: new Float64Array(count),
  };
  corners.forEach((corner, i) => {
    road.latitudes[i] = latitudeOf(terrain, corner);
    road.longitudes[i] = longitudeOf(terrain, corner);
    if (i > 0) road.limits[i - 1] = corner.limit;
    const after = corners[i + 1];
    if (i === 0 || after === undefined) return;
    road.redLights[i] = redLight(Math.max(corner.limit, after.limit), i);
  });
  return road;
}

function offset(place: Place, angle: number, distance: number): Place {
  return { x: place.x + Math.cos(angle) * distance, y: place.y + Math.sin(angle) * distance };
}

/** Goes from one place to another along the two directions of the street grid by turns, never backwards. */
function walkBlocks(corners: Corner[], terrain: Terrain, from: Place, to: Place, hash: number): void {
  const turn = -terrain.gridBearing * radians;
  const along = { x: Math.cos(turn), y: Math.sin(turn) };
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const a = dx * along.x + dy * along.y;
  const b = -dx * along.y + dy * along.x;
  const first = blockLengths(a, mix(hash, 1));
  const second = blockLengths(b, mix(hash, 2));
  let x = from.x;
  let y = from.y;
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    const u = first[i] ?? 0;
    const v = second[i] ?? 0;
    if (u !== 0) {
      x += u * along.x;
      y += u * along.y;
      corners.push({ x, y, limit: cityKmh });
    }
    if (v !== 0) {
      x -= v * along.y;
      y += v * along.x;
      corners.push({ x, y, limit: cityKmh });
    }
  }
}

/** Splits a distance into blocks of uneven length. */
function blockLengths(distance: number, hash: number): number[] {
  if (Math.abs(distance) < 0.5) return [];
  const count = Math.max(1, Math.min(5, Math.round(Math.abs(distance) / blockM)));
  const shares = Array.from({ length: count }, (_, i) => between(hash, i, 0.6, 1.4));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (distance * share) / sum);
}

/** A main road: one wide bend, with smaller ones on it, faster in the middle the longer it is. */
function followCurve(corners: Corner[], from: Place, to: Place, hash: number): void {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  const bend = between(hash, 1, -0.16, 0.16);
  const wave = between(hash, 2, -0.012, 0.012);
  const waves = 2 + pick(hash, 3, 4);
  const middle = distance < 4000 ? 50 : distance < 12_000 ? 70 : distance < 24_000 ? 90 : 110;
  const outer = Math.min(middle, 70);
  const pieces = Math.max(3, Math.ceil(distance / Math.min(650, Math.max(200, distance / 36))));
  for (let i = 1; i <= pieces; i++) {
    const t = i / pieces;
    const aside = bend * 4 * t * (1 - t) + wave * Math.sin(2 * Math.PI * waves * t);
    corners.push({
      x: from.x + dx * t - dy * aside,
      y: from.y + dy * t + dx * aside,
      limit: t <= 0.14 || t > 0.86 ? outer : middle,
    });
  }
}
