// streamSnapshots against the reference service: the rows equal getSnapshots, whatever fails.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fetch, FetchResponse } from '../../src/core/ports.js';
import { type FleetClient, type FleetClientOptions, FleetError, type WarningEvent } from '../../src/index.js';
import type { Listening } from '../../src/mock/service.js';
import { held } from '../held.js';
import { countRuns, makeClient, makeService, rejection, START, statusesOf } from '../request/setup.js';
import { runs } from '../runs.js';
import { withoutOrdinal } from './answered-row.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Noon, after a morning in which all vehicles drive; the service is at a Sunday. */
const FRIDAY = START - 2 * DAY;
const service = makeService();
let listening: Listening;
let vehicleId: string;

beforeAll(async () => {
  listening = await service.listen();
  vehicleId = (await makeClient(service).getActiveVehicles())[0]?.id ?? '';
});
afterAll(() => listening.close());
beforeEach(() => {
  service.faults.clear();
  service.clearRequests();
});

const overHttp = (options: Partial<FleetClientOptions> = {}) =>
  makeClient(service, { baseUrl: listening.url, fetch: undefined, ...options });
const period = (ms: number, end = START) => ({ vehicleId, from: new Date(end - ms), to: new Date(end) });

async function read<Row>(rows: AsyncIterable<Row>, into: Row[] = []): Promise<Row[]> {
  for await (const row of rows) into.push(row);
  return into;
}

/** Sorts rows: the order at a seam depends on the service. */
const inAnyOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(withoutOrdinal(row))).sort();

describe.each([
  ['in process', () => makeClient(service)],
  ['over HTTP', () => overHttp()],
  ['over the global fetch', () => overHttp({ fetch: globalThis.fetch })],
  [
    'over a fetch that has text and no more',
    () =>
      makeClient(service, {
        async fetch(url, init): Promise<FetchResponse> {
          const response = await service.fetch(url, init);
          const { ok, status, headers } = response;
          return { ok, status, headers, text: () => response.text(), json: () => response.json() };
        },
      }),
  ],
])('%s', (_where, connect) => {
  test('the rows of getSnapshots, from several requests', async () => {
    await using fleet = connect();
    const whole = await fleet.getSnapshots(period(5 * HOUR, FRIDAY));
    expect(whole.length).toBeGreaterThan(1000);
    service.clearRequests();
    const streamed = await read(fleet.streamSnapshots(period(5 * HOUR, FRIDAY)));
    expect(inAnyOrder(streamed)).toEqual(inAnyOrder(whole));
    expect(countRuns(service, 'getSnapshots')).toBeGreaterThan(1);
    expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
  });

  test('a call of the same user inside the loop', async () => {
    await using fleet = connect();
    let rows = 0;
    for await (const _ of fleet.streamSnapshots(period(5 * HOUR, FRIDAY))) {
      rows++;
      if (rows % 1000 === 1) expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    }
    expect(rows).toBeGreaterThan(1000);
    expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
  });

  test('leaving the loop ends it: no further window, and the turn is free', async () => {
    await using fleet = connect();
    for await (const row of fleet.streamSnapshots(period(60 * DAY))) {
      expect(row).toHaveProperty('timestamp');
      break;
    }
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(2);
  });

  test.each(['reset', 'truncate', 'malformed'] as const)(
    'a %s in a later window: it is asked for again, no row twice',
    async (kind) => {
      await using fleet = connect();
      const whole = await fleet.getSnapshots(period(2 * DAY));
      const streamed: unknown[] = [];
      for await (const row of fleet.streamSnapshots(period(2 * DAY))) {
        // The second window is already requested; the fault hits the third.
        if (streamed.push(row) === 1) service.faults.add({ kind, operation: 'getSnapshots' });
      }
      expect(service.faults.list()).toEqual([]);
      expect(inAnyOrder(streamed)).toEqual(inAnyOrder(whole));
    },
  );
});

describe('a period', () => {
  test('cut anywhere gives the same rows', async () => {
    const fleet = makeClient(service);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 * DAY }),
        fc.integer({ min: 0, max: 2 * DAY }),
        async (ago, length) => {
          const some = period(length, START - ago);
          const [whole, streamed] = [await fleet.getSnapshots(some), await read(fleet.streamSnapshots(some))];
          expect(inAnyOrder(streamed)).toEqual(inAnyOrder(whole));
        },
      ),
      { numRuns: runs(25) },
    );
  });

  test('with a selection without the time: the rows hold what was selected, and none is lost or doubled', async () => {
    const fleet = makeClient(service);
    const select = { gps: { speed: true } };
    const whole = await fleet.getSnapshots(period(2 * DAY), { select });
    const streamed = await read(fleet.streamSnapshots(period(2 * DAY), { select }));
    expect(streamed[0]).toEqual({ gps: streamed[0]?.gps, ordinal: 0 });
    expect(inAnyOrder(streamed)).toEqual(inAnyOrder(whole));
    // @ts-expect-error what was not selected is not there
    expect(streamed[0]?.timestamp).toBeUndefined();
  });

  test('is sent in UTC, as fine as it was given', async () => {
    const bounds: unknown[] = [];
    const fetch: Fetch = (url, init) => {
      const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}'));
      if (variables?.from !== undefined) bounds.push([variables.from, variables.to]);
      return service.fetch(url, init);
    };
    const stream = makeClient(service, { fetch }).streamSnapshots({
      vehicleId,
      from: '2026-03-01T12:00:00.1234567+02:30',
      to: '2026-03-01T04:45:00-05:00',
    });
    await read(stream);
    expect(bounds).toEqual([['2026-03-01T09:30:00.1234567Z', '2026-03-01T09:45:00.000Z']]);
  });

  test('without rows ends at once; one moment is a period', async () => {
    const fleet = makeClient(service);
    expect(await read(fleet.streamSnapshots(period(HOUR, START + DAY)))).toEqual([]);
    const at = (await fleet.getSnapshots(period(5 * HOUR, FRIDAY)))[0]?.timestamp ?? '';
    expect(await read(fleet.streamSnapshots({ vehicleId, from: String(at), to: String(at) }))).not.toHaveLength(0);
  });

  test.each([
    ['from after to', { from: new Date(1), to: new Date(0) }],
    ['an invalid Date', { from: new Date(Number.NaN), to: new Date(0) }],
    ['a time without an offset', { from: '2026-03-01T12:00:00', to: new Date() }],
    ['a day that does not exist', { from: '2026-02-30T12:00:00Z', to: new Date() }],
    ['no time at all', { from: 'yesterday', to: new Date() }],
    ['a number', { from: 0, to: new Date() }],
    ['nothing', { from: undefined, to: new Date() }],
  ])('%s is refused before anything is sent', (_what, some) => {
    const fleet = makeClient(service);
    const input = { vehicleId, ...some } as Parameters<typeof fleet.streamSnapshots>[0];
    expect(() => fleet.streamSnapshots(input)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(service.requests).toEqual([]);
  });

  test('nothing is sent before the first row is asked for', async () => {
    const fleet = makeClient(service);
    const rows = fleet.streamSnapshots(period(HOUR));
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.requests).toEqual([]);
    await rows.return?.();
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    expect(service.requests).toEqual([]);
  });

  test('rows can be asked for without waiting, and come in order', async () => {
    const fleet = makeClient(service);
    const whole = await fleet.getSnapshots(period(HOUR / 2));
    const rows = fleet.streamSnapshots(period(HOUR / 2));
    const all = await Promise.all(Array.from({ length: whole.length + 2 }, () => rows.next()));
    expect(all.slice(0, whole.length).map(({ value }) => withoutOrdinal(value))).toEqual(whole);
    expect(all.slice(whole.length)).toEqual(Array(2).fill({ done: true, value: undefined }));
  });
});

/** Reads until it fails. */
async function failure(
  fleet: FleetClient,
  onFirst: () => void,
  options = {},
): Promise<{ rows: unknown[]; error: unknown }> {
  const rows: unknown[] = [];
  const reading = async () => {
    for await (const row of fleet.streamSnapshots(period(2 * DAY), options)) if (rows.push(row) === 1) onFirst();
  };
  return { error: await rejection(reading()), rows };
}

describe('what goes wrong', () => {
  test.each([
    ['graphqlError', { kind: 'graphqlError' }, 'GRAPHQL'],
    ['500', { kind: 'status', status: 500, times: 3 }, 'HTTP'],
    ['503 for good', { kind: 'status', status: 503, times: 99 }, 'HTTP'],
    ['reset for good', { kind: 'reset', times: 99 }, 'NETWORK'],
    ['html', { kind: 'html', status: 200 }, 'PROTOCOL'],
  ] as const)(
    '%s in a later window: the rows stay given, then one error that says how far it got',
    async (_what, rule, code) => {
      const fleet = makeClient(service);
      const { rows, error } = await failure(fleet, () => service.faults.add({ ...rule, operation: 'getSnapshots' }));
      expect(error).toBeInstanceOf(FleetError);
      expect(error).toMatchObject({ code, operation: 'getSnapshots' });
      expect(String(error)).toMatch(
        new RegExp(`${rows.length} rows were delivered before, including all rows up to 2026-.*Z\\.$`),
      );
      expect(rows.length).toBeGreaterThan(10);
      service.faults.clear();
      expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    },
  );

  test('in the first window: the error says that nothing was given', async () => {
    service.faults.add({ kind: 'graphqlError', operation: 'getSnapshots' });
    const error = await rejection(read(makeClient(service).streamSnapshots(period(HOUR))));
    expect(error).toMatchObject({ code: 'GRAPHQL' });
    expect(String(error)).toContain('0 rows were delivered before.');
  });

  test.each([429, 503, 401])('a single %i is waited out or answered, and no row is lost', async (status) => {
    await using fleet = overHttp();
    const whole = await fleet.getSnapshots(period(5 * HOUR, FRIDAY));
    service.faults.add({ kind: 'status', status, operation: 'getSnapshots' });
    expect(inAnyOrder(await read(fleet.streamSnapshots(period(5 * HOUR, FRIDAY))))).toEqual(inAnyOrder(whole));
  });

  test('an abort while a window is under way, and one while the caller works', async () => {
    for (const when of ['before', 'under way', 'working'] as const) {
      const fleet = makeClient(service);
      const controller = new AbortController();
      const rows = fleet.streamSnapshots(period(5 * HOUR, FRIDAY), { signal: controller.signal });
      if (when === 'working') await rows.next();
      if (when === 'under way') queueMicrotask(() => controller.abort());
      else controller.abort();
      const error = await rejection(rows.next());
      expect(error).toMatchObject({ code: 'ABORTED' });
      expect(await rows.next()).toEqual({ done: true, value: undefined });
      expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    }
  });

  test('timeoutMs is for each window', async () => {
    const fleet = makeClient(service);
    await fleet.getVehicleTypes();
    service.faults.add({ ...held, operation: 'getSnapshots' });
    const late = rejection(read(fleet.streamSnapshots(period(5 * HOUR, FRIDAY), { timeoutMs: 20 })));
    expect(await late).toMatchObject({ code: 'TIMEOUT' });
    service.faults.clear();
  });

  test('null rows are left out and reported, a null list is an error', async () => {
    const warnings: WarningEvent['code'][] = [];
    let list = '[null,{"timestamp":"2026-03-01T12:00:00Z"},null]';
    const fleet = makeClient(service, {
      hooks: { onWarning: ({ code }) => warnings.push(code) },
      async fetch(url, init) {
        if (!init.body?.includes('getSnapshots')) return service.fetch(url, init);
        return new Response(`{"errors":[],"data":{"getSnapshots":${list}}}`);
      },
    });
    expect(await read(fleet.streamSnapshots(period(1000)))).toHaveLength(1);
    list = 'null';
    expect(await rejection(read(fleet.streamSnapshots(period(1000))))).toMatchObject({ code: 'PROTOCOL' });
    expect(warnings).toEqual(['NULL_ROWS']);
  });

  test('an answer far longer than expected is given up and asked for in smaller windows', async () => {
    const row = JSON.stringify({ timestamp: '2026-03-01T11:00:00Z', text: 'x'.repeat(1_000_000) });
    const spans: number[] = [];
    const fleet = makeClient(service, {
      async fetch(url, init) {
        if (!init.body?.includes('getSnapshots')) return service.fetch(url, init);
        const { variables } = JSON.parse(init.body);
        const span = Date.parse(variables.to) - Date.parse(variables.from);
        spans.push(span);
        const many = span > 2_000_000 ? 40 : 1;
        return new Response(`{"data":{"getSnapshots":[${Array(many).fill(row).join(',')}]}}`);
      },
    });
    const rows = fleet.streamSnapshots(period(HOUR));
    expect(await rows.next()).toMatchObject({ done: false });
    await rows.return?.();
    expect(spans.slice(0, 2)).toEqual([HOUR, HOUR / 8]);
  });

  test('windows without rows are passed while the caller works, up to the next with rows and no further', async () => {
    const begin = START - 30 * DAY;
    const times = [begin, START - 2 * DAY, START];
    let windows = 0;
    let onRow = (): void => undefined;
    const beyondRest = new Promise<void>((resolve) => {
      onRow = resolve;
    });
    const fleet = makeClient(service, {
      async fetch(url, init) {
        if (!init.body?.includes('getSnapshots')) return service.fetch(url, init);
        const { from, to } = JSON.parse(init.body).variables;
        const within = times.filter((time) => time >= Date.parse(from) && time <= Date.parse(to));
        windows++;
        if (windows > 1 && within.length > 0) onRow();
        const rows = within.map((time) => ({ timestamp: new Date(time).toISOString() }));
        return new Response(JSON.stringify({ data: { getSnapshots: rows } }));
      },
    });
    const rows = fleet.streamSnapshots(period(30 * DAY));
    expect(await rows.next()).toMatchObject({ value: { timestamp: new Date(begin).toISOString() } });
    await beyondRest;
    const requestedWindows = windows;
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    expect(windows).toBe(requestedWindows);
    expect(await read(rows)).toHaveLength(2);
  });
});
