// A failing stream reports the delivered rows and where to resume; resuming gives the rest.
import { describe, expect, test } from 'vitest';
import { type Fetch, FleetError, type Trip } from '../../src/index.js';
import { createMockService } from '../../src/mock/service.js';
import { makeClient, rejection, START } from '../request/setup.js';

const HOUR = 3_600_000;
const period = { from: new Date(START - 48 * HOUR), to: new Date(START) };

const failures = {
  'an error': { code: 'GRAPHQL', answer: { errors: [{ message: 'no', path: ['getSnapshots'] }] } },
  'a null list': { code: 'PROTOCOL', answer: { data: { getSnapshots: null } } },
} as const;
type Failure = keyof typeof failures;
const kinds = Object.keys(failures) as Failure[];

/** Returns a client whose requests for snapshots fail at these places, counted from 1. */
async function failingAt(kind: Failure, ...places: readonly number[]) {
  const service = createMockService({ vehicles: 2, clock: { now: () => START } });
  let requests = 0;
  const fetch: Fetch = async (url, init) => {
    if (!init.body?.includes('getSnapshots')) return service.fetch(url, init);
    requests++;
    const isRefused = places.includes(requests);
    return isRefused ? Response.json(failures[kind].answer) : service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const [vehicle] = await fleet.getVehicles({}, { select: { id: true } });
  return { fleet, vehicleId: vehicle?.id ?? '', requests: () => requests };
}

/** Reads a stream until its first error. */
async function until<Row>(stream: AsyncIterable<Row>): Promise<{ rows: Row[]; error: FleetError | null }> {
  const rows: Row[] = [];
  try {
    for await (const row of stream) rows.push(row);
    return { rows, error: null };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { rows, error };
  }
}

const select = { timestamp: true, gps: { latitude: true, longitude: true } } as const;

describe('streamSnapshots', () => {
  test.each(kinds)('wherever it fails with %s, the rest follows from resumeFrom', async (kind) => {
    const { fleet, vehicleId, requests } = await failingAt('an error');
    const whole = await until(fleet.streamSnapshots({ vehicleId, ...period }, { select }));
    const count = requests();
    expect(count).toBeGreaterThan(2);
    for (let place = 1; place <= count; place++) {
      const other = await failingAt(kind, place);
      const first = await until(other.fleet.streamSnapshots({ vehicleId, ...period }, { select }));
      expect(first.error).toMatchObject({ code: failures[kind].code, rowsGiven: first.rows.length });
      const from = first.error?.resumeFrom ?? '';
      const rest = await until(other.fleet.streamSnapshots({ vehicleId, ...period, from }, { select }));
      expect(rest.error).toBeNull();
      const texts = [...first.rows, ...rest.rows].map((row) => JSON.stringify(row));
      expect([...new Set(texts)]).toEqual([...new Set(whole.rows.map((row) => JSON.stringify(row)))]);
      expect(texts.length - whole.rows.length).toBeLessThan(10);
    }
  });

  test('before its first row, it goes on from the beginning', async () => {
    const { fleet, vehicleId } = await failingAt('an error', 1);
    const from = '2026-02-28T14:00:00+02:00';
    const { error } = await until(fleet.streamSnapshots({ vehicleId, ...period, from }));
    const beginning = { rowsGiven: 0, resumeFrom: '2026-02-28T12:00:00.000Z' };
    expect(error).toMatchObject(beginning);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject(beginning);
  });
});

describe('streamTrips', () => {
  /** Longer than one request. */
  const period = { from: new Date(START - 144 * HOUR), to: new Date(START) };

  test.each(kinds)('wherever it fails with %s, the rest follows from resumeFrom; it counts trips', async (kind) => {
    const { fleet, vehicleId, requests } = await failingAt('an error');
    const whole = await until(fleet.streamTrips({ vehicleId, ...period }));
    const count = requests();
    expect(whole.rows.length).toBeGreaterThan(3);
    let counted = 0;
    for (let place = 1; place <= count; place++) {
      const other = await failingAt(kind, place);
      const first = await until(other.fleet.streamTrips({ vehicleId, ...period }));
      expect(first.error).toMatchObject({ code: failures[kind].code, rowsGiven: first.rows.length });
      expect(first.error?.message).toContain(` ${first.rows.length} trips were delivered before.`);
      expect(first.error?.message).not.toContain('rows');
      counted = Math.max(counted, first.rows.length);
      const from = first.error?.resumeFrom ?? '';
      const rest = await until(other.fleet.streamTrips({ vehicleId, ...period, from }));
      const byId = new Map<string, Trip>([...first.rows, ...rest.rows].map((trip) => [trip.id, trip]));
      expect([...byId.values()]).toEqual(whole.rows);
    }
    expect(counted).toBeGreaterThan(0);
  });
});

describe('a null list of one of several vehicles', () => {
  /** Returns a client of a service that answers null for the rows of one vehicle, `times` times. */
  async function withNulls(times: number) {
    const service = createMockService({ vehicles: 3, clock: { now: () => START } });
    const ids = (await makeClient(service).getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
    const [vehicleId = ''] = ids;
    let left = times;
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      const { variables = {} } = JSON.parse(init.body?.includes('getSnapshots') ? String(init.body) : '{}');
      const name = Object.keys(variables).find((key) => variables[key] === vehicleId);
      if (name === undefined || left === 0) return response;
      left--;
      const { data } = JSON.parse(await response.text());
      const field = name === 'vehicleId' ? 'getSnapshots' : name.replace('vehicleId_', 'q');
      return Response.json({ data: { ...data, [field]: null } });
    };
    return { fleet: makeClient(service, { fetch }), ids, vehicleId };
  }

  test('is asked for again alone, and once more is the failure of that vehicle', async () => {
    const expected = await withNulls(0);
    const time = { from: new Date(START - HOUR), to: new Date(START) };
    const whole = await until(expected.fleet.streamSnapshots({ vehicleIds: expected.ids, ...time }, { select }));
    const once = await withNulls(1);
    const again = await until(once.fleet.streamSnapshots({ vehicleIds: once.ids, ...time }, { select }));
    expect(again.error).toBeNull();
    expect(again.rows).toHaveLength(whole.rows.length);

    const always = await withNulls(2);
    const completed: string[] = [];
    const { rows, error } = await until(
      always.fleet.streamSnapshots(
        { vehicleIds: always.ids, ...time },
        { select, onEvent: ({ type, vehicleId }) => type === 'complete' && completed.push(vehicleId) },
      ),
    );
    const resumeFrom = time.from.toISOString();
    expect(error).toMatchObject({ vehicles: [{ vehicleId: always.vehicleId, rowsGiven: 0, resumeFrom }] });
    expect(completed.sort()).toEqual(always.ids.filter((id) => id !== always.vehicleId).sort());
    expect(rows).toEqual(whole.rows.filter(({ vehicleId }) => vehicleId !== always.vehicleId));
  });

  test('fails its trips, also where only the time before the period is null', async () => {
    const { fleet, ids, vehicleId } = await withNulls(Number.POSITIVE_INFINITY);
    const completed: string[] = [];
    const time = { from: new Date(START - HOUR), to: new Date(START) };
    const { error } = await until(
      fleet.streamTrips(
        { vehicleIds: ids, ...time },
        { onEvent: (event) => event.type === 'complete' && completed.push(event.vehicleId) },
      ),
    );
    expect(error).toMatchObject({ vehicles: [{ vehicleId, resumeFrom: time.from.toISOString() }] });
    expect(completed).not.toContain(vehicleId);
  });
});

test('other errors say nothing of rows', async () => {
  const { fleet } = await failingAt('an error');
  const error = await rejection(fleet.request('query x { nope }'));
  expect(error).toBeInstanceOf(FleetError);
  expect(Object.keys(Object(error))).not.toContain('rowsGiven');
});
