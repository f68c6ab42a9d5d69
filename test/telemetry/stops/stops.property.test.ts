// Stops of random rows equal those of a naive search, and do not depend on the periods of reading.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Stop, VehiclesStreamEvent } from '../../../src/index.js';
import { runs } from '../../runs.js';
import { clientOf } from '../trips/periods.js';
import { naiveStops, type Row } from './naive-stops.js';

const start = Date.parse('2026-03-02T08:00:00Z');
const vehicleId = '11111111-0000-5000-8000-000000000001';
const time = (seconds: number) => new Date(start + seconds * 1000);

/** No distance equals a threshold, and every step is drivable. */
const steps = [0, 0, 0, 0, 0.011, -0.011, 0.031, 0.073, -0.13, 0.27, 0.53];
const anyStep = fc.record({
  seconds: fc.constantFrom(20, 20, 60, 60, 170, 290, 300, 800, 1000, 7200, 50_000),
  km: fc.constantFrom(...steps),
  speed: fc.constantFrom(0, 0, 0, 1, 30, null),
  isOn: fc.constantFrom(true, true, false, null),
  hides: fc.constantFrom(false, false, false, false, true),
});
const anyRows = fc.array(anyStep, { minLength: 1, maxLength: 40 }).map((all): readonly Row[] => {
  let [at, km] = [0, 0];
  return all.map((step) => {
    at += step.seconds;
    // In a step of days, a vehicle may drive far.
    km += step.seconds > 5000 ? step.km * 10 : step.km;
    return { at, km: step.hides ? null : km, speed: step.speed, isOn: step.isOn };
  });
});

function snapshot({ at, km, speed, isOn }: Row) {
  return {
    vehicleId,
    timestamp: time(at).toISOString(),
    gps: km === null ? null : { latitude: 59 + km / 111.195, longitude: 24, speed },
    ignition: isOn === null ? null : { engineStatus: isOn },
    canBus: km === null ? { canSpeed: speed } : null,
  };
}

async function read(stops: AsyncIterable<Stop>): Promise<Stop[]> {
  const all: Stop[] = [];
  for await (const stop of stops) all.push(stop);
  return all;
}

const seconds = (text: string) => (Date.parse(text) - start) / 1000;

test('are those that a plain look at all rows finds', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const end = (rows.at(-1)?.at ?? 0) + 100;
      const fleet = clientOf(rows.map(snapshot), time(end).getTime());
      const stops = await read(fleet.streamStops({ vehicleId, from: time(0), to: time(end) }));
      found += stops.length;
      expect(
        stops.map(({ startedAt, endedAt, durationSeconds, idleSeconds, unseenSeconds }) => ({
          start: seconds(startedAt),
          end: endedAt === null ? null : seconds(endedAt),
          duration: durationSeconds,
          idle: idleSeconds ?? 0,
          unseen: unseenSeconds,
        })),
      ).toEqual(naiveStops(rows, end));
    }),
    { numRuns: runs(600) },
  );
  expect(found).toBeGreaterThan(runs(300));
});

test('are the same in every period, and continue where reading ended', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, fc.double({ min: 0, max: 1, noNaN: true }), async (rows, share) => {
      const end = (rows.at(-1)?.at ?? 0) + 100;
      // It drives at first with a known engine, so earlier rows would change nothing.
      const before = [-3600, -3500].map((at, index) => ({ at, km: -5 - index, speed: 60, isOn: true }));
      const allRows = [...before, ...rows.map((row) => ({ ...row, isOn: row.isOn === true }))];
      const fleet = clientOf(allRows.map(snapshot), time(end).getTime());
      const within = (from: number, to: number, clip = false) =>
        read(fleet.streamStops({ vehicleId, from: time(from), to: time(to) }, { clip }));
      const all = await within(-3600, end);
      const { at } = rows[Math.floor(share * (rows.length - 1))] ?? { at: 0 };
      for (const cut of [at, at + 10]) {
        const isWhole = ({ startedAt }: Stop) => cut - seconds(startedAt) < 6 * 86_400;
        const overlapping = all.filter(({ endedAt }) => endedAt === null || seconds(endedAt) >= cut);
        expect((await within(cut, end)).filter(isWhole)).toEqual(overlapping.filter(isWhole));
        let until = '';
        const onEvent = (event: VehiclesStreamEvent) => {
          if (event.type === 'complete') until = event.until;
        };
        const period = { from: time(-3600), to: time(cut) };
        const first = await read(fleet.streamStops({ vehicleIds: [vehicleId], ...period }, { onEvent }));
        const next = { vehicles: [{ vehicleId, from: until }], to: time(end) };
        const rest = await read(fleet.streamStops(next));
        const joined = new Map([...first.filter(({ isOpen }) => !isOpen), ...rest].map((stop) => [stop.id, stop]));
        expect([...joined.values()]).toEqual(all);
      }
    }),
    { numRuns: runs(200) },
  );
});

const parkedStep = fc.record({
  seconds: fc.constantFrom(60, 300, 800, 7200),
  km: fc.constantFrom(0, 0, 0.011, 0.031),
  speed: fc.constantFrom(0, 0, 0, 8, null),
  isOn: fc.constantFrom(false, false, false, null, true),
  driverId: fc.constantFrom(null, null, null, 'anna', 'ben'),
});

test('continue from any time since which they have not changed', async () => {
  let count = 0;
  const parked = fc.array(parkedStep, { minLength: 3, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(parked, anyRows, fc.nat(), async (standing, rows, place) => {
      let at = 0;
      const drivers = standing.map(({ driverId }) => driverId);
      const stood = standing.map(({ seconds: passed, ...row }) => {
        at += passed;
        return { ...row, at };
      });
      const before = { at: -3600, km: -5, speed: 60, isOn: true };
      const allRows = [before, ...stood, ...rows.map((row) => ({ ...row, at: at + row.at }))];
      const end = (allRows.at(-1)?.at ?? 0) + 100;
      const snapshots = allRows.map((row, index) => {
        const driverId = drivers[index - 1] ?? null;
        return { ...snapshot(row), driver: driverId === null ? null : { driverId } };
      });
      const fleet = clientOf(snapshots, time(end).getTime());
      const all = await read(fleet.streamStops({ vehicleId, from: time(-3600), to: time(end) }));
      const cut = (stood[place % stood.length]?.at ?? 0) + 10;
      let unchangedSince = '';
      const onEvent = (event: VehiclesStreamEvent) => {
        if (event.type === 'complete') unchangedSince = event.unchangedSince ?? '';
      };
      const period = { from: time(-3600), to: time(cut) };
      const first = await read(fleet.streamStops({ vehicleIds: [vehicleId], ...period }, { onEvent }));
      const stop = first.find(({ isOpen }) => isOpen);
      if (stop === undefined || unchangedSince === '') return;
      count++;
      const since = seconds(unchangedSince);
      for (const part of [0, 0.5, 1]) {
        const vehicles = [{ vehicleId, from: time(since + part * (cut - since)) }];
        const continued = [{ stop, unchangedSince }];
        const later = await read(fleet.streamStops({ vehicles, to: time(end) }, { continued }));
        expect([...first.filter(({ isOpen }) => !isOpen), ...later]).toEqual(all);
      }
    }),
    { numRuns: runs(600) },
  );
  expect(count).toBeGreaterThan(runs(60));
});

test('have parts that add up, in periods that are clipped', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, fc.double({ min: 0, max: 1, noNaN: true }), async (rows, share) => {
      // Longer silences than the read-ahead hide movements between the rows.
      let at = 0;
      const near = rows.map((row, index) => {
        at += Math.min(290, row.at - (rows[index - 1]?.at ?? 0));
        return { ...row, at, isOn: row.isOn === true };
      });
      const end = at + 1500;
      const all = [{ at: -3500, km: -5, speed: 60, isOn: true }, ...near, { at: end, km: 50, speed: 60, isOn: true }];
      const fleet = clientOf(all.map(snapshot), time(end).getTime());
      const within = (from: number, to: number, clip: boolean) =>
        read(fleet.streamStops({ vehicleId, from: time(from), to: time(to) }, { clip }));
      const whole = await within(-3600, end, false);
      const row = near[Math.floor(share * (near.length - 1))]?.at ?? 0;
      for (const cut of [row, row + 10, row + 1500]) {
        const parts = [...(await within(-3600, cut, true)), ...(await within(cut, end + 1, true))];
        const sums = (stops: readonly Stop[], id: string) => {
          const own = stops.filter((stop) => stop.id === id);
          const sum = (of: (stop: Stop) => number | null) => own.reduce((total, stop) => total + (of(stop) ?? 0), 0);
          return [sum((one) => one.durationSeconds), sum((one) => one.idleSeconds), sum((one) => one.unseenSeconds)];
        };
        for (const { id } of whole) expect(sums(parts, id), `cut at ${cut}`).toEqual(sums(whole, id));
        expect(new Set(parts.map(({ id }) => id))).toEqual(new Set(whole.map(({ id }) => id)));
      }
    }),
    { numRuns: runs(200) },
  );
});
