// Snapshots in any order and form give equal results; unreadable values cause a warning.
import { describe, expect, test } from 'vitest';
import type { Warning } from '../../src/core/hooks.js';
import { FleetClient, liveStatus, ProtocolError, type Snapshot, type Trip, tripsFrom } from '../../src/index.js';
import { createMockService, type MockServiceOptions } from '../../src/mock/service.js';
import { toGeoJson } from '../../src/telemetry/tracks/write-tracks.js';
import { rejection, START } from '../request/setup.js';

const DAY = 86_400_000;
const period = { from: new Date(START - 2 * DAY), to: new Date(START) };

function serviceWith(variant: NonNullable<MockServiceOptions['variant']> = {}) {
  const service = createMockService({ vehicles: 2, clock: { now: () => START }, variant });
  const warnings: Warning[] = [];
  const fleet = new FleetClient({
    baseUrl: 'http://service.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
    hooks: { onWarning: (event) => warnings.push(event) },
  });
  return { fleet, warnings };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

async function text(pieces: AsyncIterable<string>): Promise<string> {
  return (await all(pieces)).join('');
}

/** Returns all results from the snapshots of a vehicle. */
async function resultsOf(variant?: NonNullable<MockServiceOptions['variant']>) {
  const { fleet, warnings } = serviceWith(variant);
  const [vehicle] = await fleet.getVehicles({}, { select: { id: true } });
  const vehicleId = vehicle?.id ?? '';
  const stream = () => fleet.streamSnapshots({ vehicleId, ...period });
  const rows = await fleet.getSnapshots({ vehicleId, ...period });
  const board = await fleet.watchStatus({ snapshot: true }).next();
  return {
    warnings,
    times: (await all(stream())).map(({ timestamp }) => new Date(timestamp ?? 0).getTime()),
    trips: await all(fleet.streamTrips({ vehicleId, ...period })),
    tripsOfStream: await all(tripsFrom(stream())),
    tripsOfArray: await all(tripsFrom(rows)),
    track: await text(toGeoJson(stream())),
    trackOfArray: await text(toGeoJson(rows)),
    status: (await fleet.getVehicles()).map(({ lastData }) => liveStatus(lastData, { now: START })),
    board: board.value?.type === 'snapshot' ? board.value.vehicles.map((one) => ({ ...one, timestamp: null })) : [],
  };
}

describe('the same comes of rows', () => {
  test.each([
    ['newest first', { rows: 'descending' }],
    ['in no order', { rows: 'shuffled' }],
    ['with ON and OFF', { flags: 'ON/OFF' }],
    ['with on and off', { flags: 'on/off' }],
    ['with running and stopped', { flags: 'running/stopped' }],
    ['with 1 and 0', { flags: '1/0' }],
    ['with numbers as text', { gpsNumbers: 'text' }],
    ['with times with an offset', { times: 'offset' }],
    ['with times as numbers', { times: 'epoch' }],
    ['with all of it', { rows: 'shuffled', flags: 'on/off', gpsNumbers: 'text', times: 'epoch' }],
  ] as const)('%s', async (_how, variant) => {
    const tidy = await resultsOf();
    expect(tidy.trips.length).toBeGreaterThan(3);
    expect(tidy.trips.reduce((sum, { distanceKm }) => sum + distanceKm, 0)).toBeGreaterThan(20);
    const made = await resultsOf(variant);
    expect(made.times).toEqual([...made.times].sort((a, b) => a - b));
    expect(made).toEqual(tidy);
    expect(made.warnings).toEqual([]);
  });
});

const vehicleId = '3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65';
const minute = (at: number) => new Date(START + at * 60_000).toISOString();

/** Returns a drive of ten minutes, with these values for ignition on and off. */
function drive(on: unknown, off: unknown): Snapshot[] {
  return Array.from({ length: 15 }, (_, at) => ({
    vehicleId,
    timestamp: minute(at),
    ignition: { engineStatus: at > 0 && at < 11 ? on : off },
    gps: { latitude: 59 + at / 100, longitude: 24, speed: 60 },
    // Services send more than the types allow.
  })) as unknown as Snapshot[];
}

describe('what cannot be read', () => {
  test('is an error when it is the ignition of every snapshot: never no trips', async () => {
    const error = await rejection(all(tripsFrom(drive({ on: true }, { on: false }))));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toContain(
      'Cannot read the ignition of 15 snapshots: ignition.engineStatus has a form that this package does not know.',
    );
  });

  test('is an error of streamTrips too, which says how far it got', async () => {
    const service = createMockService({ vehicles: 1, clock: { now: () => START } });
    const rows = drive('laeuft', 'steht');
    const fleet = new FleetClient({
      baseUrl: 'http://service.test',
      credentials: { username: 'demo', password: 'demo' },
      fetch: async (url, init) =>
        init.body?.includes('getSnapshots')
          ? Response.json({ data: { getSnapshots: rows } })
          : service.fetch(url, init),
    });
    const error = await rejection(all(fleet.streamTrips({ vehicleId, from: minute(0), to: minute(15) })));
    expect(error).toMatchObject({ code: 'PROTOCOL', operation: 'getSnapshots', rowsGiven: 0, resumeFrom: minute(0) });
    expect(String(error)).toContain('Cannot read the ignition of');
    expect(String(error)).not.toContain('laeuft');
  });

  test('is a warning when other values can be read', async () => {
    const rows = drive(true, false).map((row, at) => (at === 5 ? { ...row, ...drive('laeuft', '')[5] } : row));
    const warnings: Warning[] = [];
    const trips: Trip[] = await all(tripsFrom(rows, { onWarning: (event) => warnings.push(event) }));
    expect(trips).toHaveLength(1);
    expect(warnings).toMatchObject([
      { code: 'UNREADABLE_VALUES', message: expect.stringContaining('ignition of 1 snapshot:') },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('laeuft');
  });

  test('is an error of a track that would have no position', async () => {
    const rows = drive(true, false).map((row) => ({ ...row, gps: { latitude: '59° 26′', longitude: '24° 45′' } }));
    const error = await rejection(text(toGeoJson(rows as unknown as Snapshot[])));
    expect(String(error)).toContain('Cannot read the position of');
  });

  test('is said once by a watch', async () => {
    const { fleet, warnings } = serviceWith();
    const service = createMockService({ vehicles: 1, clock: { now: () => START } });
    const lastData = { timestamp: minute(0), ignition: { engineStatus: 'laeuft' }, gps: { speed: 'schnell' } };
    const watching = new FleetClient({
      baseUrl: 'http://service.test',
      credentials: { username: 'demo', password: 'demo' },
      hooks: { onWarning: (event) => warnings.push(event) },
      fetch: async (url, init) =>
        init.body?.includes('getVehicles')
          ? Response.json({ data: { getVehicles: [{ id: vehicleId, name: 'x', lastData }] } })
          : service.fetch(url, init),
    });
    const { value } = await watching.watchStatus({ snapshot: true }).next();
    expect(value?.type === 'snapshot' && value.vehicles).toMatchObject([{ engineOn: null, speedKmh: null }]);
    await watching.watchStatus({ snapshot: true }).next();
    expect(warnings.map(({ code, operation }) => [code, operation])).toEqual([['UNREADABLE_VALUES', 'getVehicles']]);
    await fleet.close();
  });

  test('words for nothing are no value', async () => {
    const rows = drive('On', 'unknown').map((row, at) =>
      at === 0 || at > 10 ? { ...row, ...drive(1, 'OFF')[at] } : row,
    );
    const warnings: Warning[] = [];
    expect(await all(tripsFrom(rows, { onWarning: (event) => warnings.push(event) }))).toHaveLength(1);
    expect(warnings).toEqual([]);
    const snapshot = { timestamp: minute(0), ignition: { engineStatus: 'n/a' }, gps: { speed: ' 12.5 ' } };
    expect(liveStatus(snapshot as unknown as Snapshot, { now: START })).toBe('moving');
  });
});

describe('rows that come too late', () => {
  test('are an error when they are most of the rows', async () => {
    const error = await rejection(all(tripsFrom(drive(true, false).reverse().values())));
    expect(String(error)).toContain('Put them in order of time first.');
  });

  test('are a warning when they are few', async () => {
    const rows = drive(true, false);
    const late = [...rows.slice(0, 3), ...rows.slice(4), ...rows.slice(3, 4)];
    const warnings: Warning[] = [];
    await all(tripsFrom(late.values(), { onWarning: (event) => warnings.push(event) }));
    expect(warnings).toMatchObject([
      { code: 'ROWS_OUT_OF_ORDER', message: expect.stringContaining('1 snapshot came') },
    ]);
  });

  test('warns of a service that does not keep to the period', async () => {
    const service = createMockService({ vehicles: 1, clock: { now: () => START } });
    const warnings: Warning[] = [];
    const fleet = new FleetClient({
      baseUrl: 'http://service.test',
      credentials: { username: 'demo', password: 'demo' },
      hooks: { onWarning: (event) => warnings.push(event) },
      fetch: async (url, init) =>
        init.body?.includes('getSnapshots')
          ? Response.json({ data: { getSnapshots: drive(true, false) } })
          : service.fetch(url, init),
    });
    await all(fleet.streamSnapshots({ vehicleId, from: minute(0), to: minute(5) }));
    expect(warnings.map(({ code }) => code)).toEqual(['ROWS_OUT_OF_ORDER']);
  });
});
