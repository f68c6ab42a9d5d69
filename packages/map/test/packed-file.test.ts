// The encoding of a map file is lossless and small.
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../src/page/bytes.js';
import { packFile, unpackFile } from '../src/page/packed-file.js';
import type { FileSetup, MapDay, TrackColumns } from '../src/shapes.js';

const start = Date.parse('2026-03-02T00:00:00Z');

function fileOf(tracks: readonly TrackColumns[]): FileSetup {
  const note = { kind: 'tripsMissing', values: {}, details: ['Ääre \u2028'], message: 'Ääre', hint: null } as const;
  const rest = {
    lastFixAt: null,
    trips: [],
    stops: [],
    events: [],
    visits: [],
    assigned: null,
    notes: [note],
    warnings: [],
  };
  const days: MapDay[] = tracks.map((track, index) => ({
    ...{ vehicleId: `v${index}`, from: start, to: start + 1, track },
    ...rest,
  }));
  const period = { from: start, to: start + 1, writtenAt: start, dates: [], vehicles: [], geofences: [] };
  return { kind: 'file', title: 'Fleet map', zone: 'UTC', tiles: null, streets: null, ...period, days };
}

const step = fc.record({
  seconds: fc.nat({ max: 40_000 }),
  latitude: fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -18_000_000, max: 18_000_000 })),
  longitude: fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -36_000_000, max: 36_000_000 })),
  speed: fc.integer({ min: -1, max: 250 }),
});
const columns = fc.array(step, { maxLength: 40 }).map(
  (steps): TrackColumns => ({
    start,
    times: steps.map(({ seconds }) => seconds),
    latitudes: steps.map(({ latitude }) => latitude),
    longitudes: steps.map(({ longitude }) => longitude),
    speeds: steps.map(({ speed }) => speed),
    breaks: steps.length > 3 ? [3] : [],
  }),
);

test('tracks of any kind come back as they were', () => {
  fc.assert(
    fc.property(fc.array(columns, { maxLength: 4 }), (tracks) => {
      const setup = fileOf(tracks);
      // JSON does not distinguish 0 from -0.
      expect(JSON.parse(JSON.stringify(unpackFile(packFile(setup))))).toEqual(setup);
    }),
  );
});

test('whole numbers come back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 51), max: 2 ** 51 })), (values) => {
      const writer = new ByteWriter();
      for (const value of values) writer.add(value);
      const reader = new ByteReader(writer.bytes);
      expect(values.map(() => reader.next())).toEqual(values);
    }),
  );
});

test('a drive takes two and a half bytes for each position', () => {
  // A curve with changing speed, and positions as inexact as a receiver's.
  let [noise, lastX, lastY, heading] = [1, 0, 0, 0];
  const random = () => {
    noise = (noise * 16_807) % 2_147_483_647;
    return noise / 2_147_483_647 - 0.5;
  };
  const track = { start, breaks: [], times: [0], latitudes: [0], longitudes: [0], speeds: [0] };
  let [x, y] = [2_475_000, 5_943_000];
  for (let i = 0; i < 4_000; i++) {
    const seconds = 4 + Math.round(2 * random());
    const speed = 60 + Math.round(30 * Math.sin(i / 90));
    heading += 0.05 * Math.sin(i / 40);
    const units = ((speed / 3.6) * seconds) / 1.112;
    x += (Math.cos(heading) * units) / Math.cos(1.037);
    y += Math.sin(heading) * units;
    const [seenX, seenY] = [Math.round(x + 3 * random()), Math.round(y + 3 * random())];
    track.times.push(seconds);
    track.speeds.push(speed);
    track.longitudes.push(seenX - lastX);
    track.latitudes.push(seenY - lastY);
    [lastX, lastY] = [seenX, seenY];
  }
  expect(deflateRawSync(packFile(fileOf([track])), { level: 9 }).length / 4_000).toBeLessThan(2.5);
});
