// Tests services whose vehicle ids differ from their list, or that return rows of others. The copy
// has the rows of a tidy one, and the sync reports what it left out.
import { describe, expect, test } from 'vitest';
import type { Trip } from '../../../src/index.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { type Alter, altered } from './altered.js';
import { contentOf } from './copies.js';
import { databases } from './databases.js';

const service = makeService({ vehicles: 5 });
const options: SyncOptions = {
  since: new Date(START - 3 * 3_600_000),
  parts: ['assignments', 'latest', 'trips', 'snapshots'],
};

const syncOf = (target: SyncTarget, alter: Alter) =>
  syncFleet(makeClient(service, { merge: false, fetch: altered(service, alter) }), target, options);

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Returns ten minutes in which one vehicle drives, as its service answers them. */
async function drive(): Promise<Rows> {
  const fleet = makeClient(service);
  const vehicleIds = (await fleet.getVehicles()).flatMap(({ id }) => id ?? []);
  const trips: Trip[] = [];
  const period = { from: options.since ?? '', to: new Date(START) };
  for await (const trip of fleet.streamTrips({ vehicleIds, ...period })) trips.push(trip);
  const [trip] = trips.filter(({ durationSeconds }) => durationSeconds > 1200);
  if (trip === undefined) throw new Error('no vehicle drives long enough');
  const begin = Date.parse(trip.startedAt);
  const part = { from: new Date(begin + 300_000), to: new Date(begin + 900_000) };
  return fleet.getSnapshots({ vehicleId: trip.vehicleId, ...part });
}

describe.each(databases)('%s', (_name, make) => {
  test('ids in upper case', { timeout: 60_000 }, async () => {
    const [tidy, { target }] = [(await make()).target, await make()];
    await syncOf(tidy, (_operation, value) => value);
    const { failures } = await syncOf(target, (operation, value) =>
      Array.isArray(value) && (operation === 'getSnapshots' || operation === 'getLatestSnapshots')
        ? value.map((row) => ({ ...row, vehicleId: String(row.vehicleId).toUpperCase() }))
        : value,
    );
    expect(failures).toEqual([]);
    expect(await contentOf(target)).toEqual(await contentOf(tidy));
  });

  test('rows of a vehicle in the answers of all others', { timeout: 60_000 }, async () => {
    const driven = await drive();
    const [tidy, { target }] = [(await make()).target, await make()];
    await syncOf(tidy, (_operation, value) => value);
    const { failures } = await syncOf(target, (operation, value, { vehicleId, from, to }) => {
      if (operation !== 'getSnapshots' || !Array.isArray(value) || vehicleId === driven[0]?.vehicleId) return value;
      const isAsked = ({ timestamp }: Rows[number]) =>
        Date.parse(String(from)) <= Date.parse(String(timestamp)) &&
        Date.parse(String(timestamp)) <= Date.parse(String(to));
      return [...value, ...driven.filter(isAsked)];
    });
    expect(await contentOf(target)).toEqual(await contentOf(tidy));
    expect(failures.map(({ part, kind }) => [part, kind])).toEqual([
      ['trips', 'unstored'],
      ['snapshots', 'unstored'],
    ]);
    for (const { error } of failures) expect(error.message).toContain(String(driven[0]?.vehicleId));
  });

  test('assignments of other vehicles', async () => {
    const [tidy, { target }] = [(await make()).target, await make()];
    await syncOf(tidy, (_operation, value) => value);
    const all: Record<string, unknown>[] = [];
    await syncOf((await make()).target, (operation, value) => {
      if (operation === 'getDriverAssignments' && Array.isArray(value)) all.push(...value);
      return value;
    });
    const { failures } = await syncOf(target, (operation, value) =>
      operation === 'getDriverAssignments' ? all : value,
    );
    expect((await contentOf(target)).driver_assignments).toEqual((await contentOf(tidy)).driver_assignments);
    expect(failures.map(({ part, kind }) => [part, kind])).toEqual([['assignments', 'unstored']]);
  });
});
