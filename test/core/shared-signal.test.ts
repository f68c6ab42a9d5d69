// One signal for many calls, as in a server that shuts down: Node must not warn of a leak.
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { makeClient, makeService, START } from '../request/setup.js';

const VEHICLE_ID = '9b2d7c1e-0f3a-4c55-8a6b-d41e2f907c13';
const warnings: string[] = [];
const note = ({ name }: Error) => warnings.push(name);
afterEach(() => {
  process.off('warning', note);
  warnings.length = 0;
});

const period = { from: new Date(START - 3_600_000), to: new Date(START) };

type Start = (fleet: ReturnType<typeof makeClient>, signal: AbortSignal) => unknown;

const starts: Record<string, Start> = {
  calls: (fleet, signal) => fleet.getVehicles({}, { signal }),
  'streams of one vehicle': (fleet, signal) =>
    next(fleet.streamSnapshots({ vehicleId: VEHICLE_ID, ...period }, { signal })),
  'streams of many vehicles': (fleet, signal) =>
    next(fleet.streamSnapshots({ vehicleIds: [VEHICLE_ID], ...period }, { signal })),
  'streams of a list': (fleet, signal) => next(fleet.stream('getVehicles', {}, { signal })),
  // A watch listens from the start.
  watches: (fleet, signal) => fleet.watchStatus({ signal }),
};

test.each(Object.entries(starts))('30 %s with one signal', async (_, start) => {
  process.on('warning', note);
  const fleet = makeClient(makeService());
  const { signal } = new AbortController();
  const begun = Array.from({ length: 30 }, () => start(fleet, signal));
  await Promise.all(begun.filter((one) => one instanceof Promise));
  await setImmediate();
  expect(warnings).toEqual([]);
  await fleet.close();
});

const next = (rows: AsyncIterator<unknown>) => rows.next();
