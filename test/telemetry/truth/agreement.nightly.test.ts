// The numbers of a trip agree with each other, over random drives and devices with random quirks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FleetError, type Trip, type TripSnapshot, tripsFrom } from '../../../src/index.js';
import { runs } from '../../runs.js';
import { clientOf, read, sums } from '../trips/periods.js';
import { deviceKey } from './accuracy-table.js';
import { noOdometer } from './counter-quirks.js';
import { type DeviceRow, type Quirk, rowsOf, vehicleId } from './device.js';
import { deviceGroups } from './devices.js';
import { measure } from './measure.js';
import { type Part, type World, worldOf } from './route.js';

/** By the names of their devices, for readable counterexamples. */
const quirksOf = new Map<string, readonly Quirk[]>(
  deviceGroups.flatMap(({ about, devices }) => devices.map(({ name, quirks }) => [deviceKey(about, name), quirks])),
);

interface Scene {
  readonly parts: readonly Part[];
  readonly isParkedAtFirst: boolean;
  readonly everySeconds: number;
  /** Their quirks are combined. */
  readonly devices: readonly string[];
}

const drive: fc.Arbitrary<Part> = fc.record({
  metres: fc.integer({ min: 50, max: 6_000 }),
  kmh: fc.integer({ min: 6, max: 120 }),
  turn: fc.integer({ min: -120, max: 120 }),
  seesSky: fc.constantFrom(true, true, true, false),
});
const stand: fc.Arbitrary<Part> = fc.record({
  seconds: fc.oneof(fc.integer({ min: 5, max: 400 }), fc.integer({ min: 400, max: 5_000 })),
  isOn: fc.boolean(),
  seesSky: fc.constantFrom(true, true, false),
});
const scenes: fc.Arbitrary<Scene> = fc.record({
  parts: fc.array(fc.oneof(drive, drive, stand), { minLength: 1, maxLength: 14 }),
  isParkedAtFirst: fc.boolean(),
  everySeconds: fc.constantFrom(1, 7, 10, 30, 60, 300),
  devices: fc.uniqueArray(fc.constantFrom(...quirksOf.keys()), { maxLength: 3 }),
});

function worldOfScene({ parts, isParkedAtFirst }: Scene): World {
  const parked: Part = { seconds: 900, isOn: false };
  return worldOf(isParkedAtFirst ? [parked, ...parts, parked] : parts);
}

function rowsOfScene(scene: Scene): readonly DeviceRow[] {
  const { everySeconds, devices } = scene;
  const quirks = devices.flatMap((key) => quirksOf.get(key) ?? []);
  return rowsOf(devices.join(), worldOfScene(scene), everySeconds, quirks);
}

async function tripsOf(scene: Scene): Promise<readonly Trip[]> {
  // Safe cast: services send values like those of quirks, whatever the contract says.
  const rows = rowsOfScene(scene) as readonly TripSnapshot[];
  try {
    return await read(tripsFrom(rows));
  } catch (error) {
    // Unreadable trips are reported.
    if (isUnreadable(error)) return [];
    throw error;
  }
}

const fastestKmh = 250;
const hoursOf = (seconds: number) => seconds / 3600;

/** The invariants of every trip. Rounding: 0.1 s for times, 1 m for distances, 0.1 for speeds. */
const agreements: readonly (readonly [string, (trip: Trip) => boolean])[] = [
  ['it lasts from its start to its end', (trip) => Math.abs(trip.durationSeconds - lasted(trip)) < 0.11],
  [
    'no time is negative',
    ({ durationSeconds, movingSeconds, idleSeconds, unseenSeconds }) =>
      Math.min(durationSeconds, movingSeconds, idleSeconds, unseenSeconds) >= 0,
  ],
  [
    'moving, idle and unseen time are parts of it',
    ({ durationSeconds, movingSeconds, idleSeconds, unseenSeconds }) =>
      movingSeconds + idleSeconds + unseenSeconds < durationSeconds + 0.2,
  ],
  ['its distance is not negative', ({ distanceKm }) => distanceKm >= 0],
  [
    'its distance can be driven in the time',
    ({ distanceKm, durationSeconds }) => distanceKm < 1.2 + fastestKmh * hoursOf(durationSeconds),
  ],
  ['no source, no distance', ({ distanceBy, distanceKm }) => distanceBy !== 'none' || distanceKm === 0],
  [
    'no distance without moving',
    // A whole drive can lie in one minute, when times have no seconds.
    ({ distanceKm, startedAt, lastSeenAt, movingSeconds, unseenSeconds }) =>
      movingSeconds + unseenSeconds > 0 ||
      distanceKm < ([startedAt, lastSeenAt].every((time) => time.endsWith(':00.000Z')) ? fastestKmh / 60 : 0.2),
  ],
  ['no speed above the fastest', ({ topSpeedKmh }) => (topSpeedKmh ?? 0) <= fastestKmh],
  [
    'its mean speed is not above the top speed',
    ({ meanSpeedKmh, topSpeedKmh }) =>
      meanSpeedKmh === null || topSpeedKmh === null || meanSpeedKmh <= topSpeedKmh + 0.1,
  ],
  [
    'a doubt is a share of more than a tenth',
    ({ distanceDoubt }) => distanceDoubt === null || (distanceDoubt >= 0.1 && distanceDoubt <= 1),
  ],
  [
    'its fuel can be burnt in the time',
    ({ fuelUsed, durationSeconds }) =>
      fuelUsed === null || (fuelUsed >= 0 && fuelUsed < 1.1 + 500 * hoursOf(durationSeconds)),
  ],
];

test.each(agreements)('%s', async (_, holds) => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      for (const trip of await tripsOf(scene)) expect(holds(trip), JSON.stringify(trip)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

test('trips of a vehicle do not overlap', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      let lastEnd = Number.NEGATIVE_INFINITY;
      for (const trip of await tripsOf(scene)) {
        expect(Date.parse(trip.startedAt)).toBeGreaterThanOrEqual(lastEnd);
        lastEnd = Date.parse(trip.endedAt ?? trip.lastSeenAt);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a tidy device is believed: its trips are the true ones, without a doubt', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenes,
      fc.constantFrom(1, 5, 10, 30, 60),
      fc.boolean(),
      async (scene, everySeconds, hasOdometer) => {
        const world = worldOfScene({ ...scene, isParkedAtFirst: true });
        const quirks = hasOdometer ? [] : [noOdometer];
        const measured = await measure({ name: 'tidy', world, everySeconds, quirks });
        expect(measured.hasRightTrips).toBe(true);
        expect(measured.hasRightDrivers).toBe(true);
        expect(measured.warnings).toEqual([]);
        for (const [at, trip] of measured.trips.entries()) {
          const truth = world.trips[at];
          // Rows at rest within a minute and 100 m show no drive; sparse rows lose the bends.
          const lost = everySeconds > 10 ? 0.12 + (truth?.km ?? 0) * 0.2 : 0.05 + (truth?.km ?? 0) * 0.02;
          const allowed = hasOdometer ? 0.002 : lost;
          expect(Math.abs(trip.distanceKm - (truth?.km ?? 0)), JSON.stringify(trip)).toBeLessThan(allowed);
          expect(trip.distanceDoubt, JSON.stringify(trip)).toBeNull();
          expect(trip).toMatchObject({
            tripsBy: 'ignition',
            endedBy: 'ignition',
            isStartKnown: true,
            unseenSeconds: 0,
          });
          expect(trip.durationSeconds).toBe(((truth?.end ?? 0) - (truth?.start ?? 0)) / 1_000);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

test('its parts in periods that follow each other add up', async () => {
  const begin = Date.UTC(2026, 2, 2);
  const now = begin + 30 * 24 * 3_600_000;
  await fc.assert(
    fc.asyncProperty(scenes, fc.array(fc.nat(20 * 3_600), { minLength: 1, maxLength: 3 }), async (scene, cuts) => {
      const fleet = clientOf(rowsOfScene(scene), now, timeOfRow);
      const within = async (from: number, to: number) =>
        read(fleet.streamTrips({ vehicleId, from: new Date(from), to: new Date(to) }, { clip: true }));
      const inner = [...new Set(cuts.map((seconds) => begin + seconds * 1_000))].sort((one, other) => one - other);
      const bounds = [begin - 3_600_000, ...inner, begin + 48 * 3_600_000];
      try {
        const parts: Trip[] = [];
        for (const [at, to] of bounds.slice(1).entries()) parts.push(...(await within(bounds[at] ?? to, to)));
        expect(sums(parts)).toEqual(sums(await within(bounds[0] ?? begin, bounds.at(-1) ?? begin)));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }),
    { numRuns: runs(100) },
  );
});

/** Returns true for the error that these rows give no readable trips. */
function isUnreadable(error: unknown): boolean {
  return FleetError.is(error) && error.code === 'PROTOCOL';
}

/** In seconds. */
function lasted({ startedAt, endedAt, lastSeenAt }: Trip): number {
  return (Date.parse(endedAt ?? lastSeenAt) - Date.parse(startedAt)) / 1000;
}

/** Returns the time of a row as the service reads it, in milliseconds since 1970. */
function timeOfRow({ timestamp }: DeviceRow): number {
  if (typeof timestamp !== 'number') return Date.parse(String(timestamp));
  return timestamp < 1e11 ? timestamp * 1_000 : timestamp;
}
