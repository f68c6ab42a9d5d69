// Unusual and invalid values for variables, literals, headers and forms.
import type { Random } from './random.js';

/** Existing ids and names by kind: most cases should pass the first check. */
export interface World {
  readonly token: string;
  readonly refreshToken: string;
  readonly userId: string;
  readonly fleetId: string;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** The service's time in epoch milliseconds. */
  readonly now: number;
}

const unusualTexts = [
  '', ' ', '\u0000', '\ufeff', '\u2028\u2029', '\ud800', '\udfff\ud800', '😀'.repeat(50), 'e\u0301', '\u202e', 'null', 'undefined',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '-1', '1e999', 'NaN', "'; drop table vehicles; --",
  '../../../etc/passwd', '{{7*7}}', '%s%n', '<script>', '\\', '"', '"""', '\r\n\r\n', '\t', 'a'.repeat(70_000),
  '00000000-0000-0000-0000-000000000000', '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', '6ba7b8109dad41d180b400c04fd430c8',
] as const; // biome-ignore format: a list of texts reads best in rows

const unusualNumbers = [
  0, -0, 1, -1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e308, -1e308, 5e-324, 8.64e15, 8.64e15 + 1, 4294967296,
] as const; // biome-ignore format: a list of numbers reads best in rows

const unusualTimes = [
  '2026-03-04T12:00:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-23:59',
  '2026-02-29T00:00:00Z', '2024-02-29T23:59:60Z', '2026-03-04T12:00:00', '2026-03-04', '2026-03-04T24:00:00Z', '1969-12-31T23:59:59.999Z',
  '2026-03-04T12:00:00.123456789+05:30', '2026-03-04t12:00:00z', '+010000-01-01T00:00:00Z', 'yesterday', '1772625600000',
] as const; // biome-ignore format: a list of times reads best in rows

export const unusualText = (random: Random): string => random.pick(unusualTexts);

export function text(random: Random, world: World): string {
  return random.weighted([
    [4, () => random.pick(world.texts)],
    [2, () => random.pick(world.ids)],
    [3, () => unusualText(random)],
    [1, () => characters(random, 1 + random.size(300))],
  ])();
}

/** Returns characters from all of Unicode, including lone surrogates. */
export function characters(random: Random, length: number): string {
  let made = '';
  for (let at = 0; at < length; at += 1) {
    made += String.fromCharCode(random.chance(0.7) ? 32 + random.below(95) : random.below(65_536));
  }
  return made;
}

export function time(random: Random, world: World): string {
  if (random.chance(0.25)) return random.pick(unusualTimes);
  // Mostly the last days, sometimes years, in both directions.
  const span = random.chance(0.95) ? 3 * 86_400_000 : 4e11;
  return new Date(world.now + Math.round((random.next() - 0.8) * span)).toISOString();
}

export function json(random: Random, world: World, depth = 0): unknown {
  return random.weighted<() => unknown>([
    [3, () => text(random, world)],
    [3, () => random.pick(unusualNumbers)],
    [2, () => random.pick([true, false, null])],
    [1, () => random.pick(world.ids)],
    [depth > 4 ? 0 : 2, () => Array.from({ length: random.size(12) }, () => json(random, world, depth + 1))],
    [depth > 4 ? 0 : 2, () => record(random, world, depth)],
  ])();
}

/** Returns an object with unusual keys and values; `__proto__` is an ordinary key. */
export function record(random: Random, world: World, depth = 0): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let left = random.size(10); left > 0; left -= 1) {
    Object.defineProperty(made, random.chance(0.5) ? unusualText(random) : characters(random, 3), {
      value: json(random, world, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return made;
}

const shapes = ['Point', 'LineString', 'Polygon', 'MultiPolygon', 'Feature', 'GeometryCollection', ''] as const;

export function geojson(random: Random, world: World): unknown {
  if (random.chance(0.3)) return json(random, world);
  const position = (): unknown[] =>
    random.chance(0.9)
      ? [random.next() * 380 - 190, random.next() * 190 - 95]
      : Array.from({ length: random.below(4) }, () => random.pick(unusualNumbers));
  const type = random.pick(shapes);
  if (type === 'Feature') return { type, geometry: geojson(random, world), properties: record(random, world) };
  if (type === 'Point') return { type, coordinates: position() };
  const ring = Array.from({ length: random.below(8) }, position);
  if (random.chance(0.8) && ring[0] !== undefined) ring.push(ring[0]);
  if (type === 'LineString') return { type, coordinates: ring };
  return { type, coordinates: type === 'MultiPolygon' ? [[ring]] : [ring] };
}
