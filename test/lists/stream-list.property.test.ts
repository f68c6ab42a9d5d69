// fleet.stream returns the rows of the list method while the answer arrives.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { operations } from '../../src/generated/operation-table.js';
import {
  type FleetClient,
  type FleetClientOptions,
  FleetError,
  type ListQuery,
  type Vehicle,
  type WarningEvent,
} from '../../src/index.js';
import type { Listening } from '../../src/mock/service.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { held, untilHeld } from '../held.js';
import { answerFrom, type Served, serve, textOf } from '../request/http-server.js';
import {
  ClientOver,
  countRuns,
  createDeferred,
  makeClient,
  makeService,
  rejection,
  START,
  statusesOf,
} from '../request/setup.js';
import { runs } from '../runs.js';

const service = makeService();
let listening: Listening;
beforeAll(async () => {
  listening = await service.listen();
});
afterAll(() => listening.close());
beforeEach(() => {
  service.faults.clear();
  service.clearRequests();
});

async function read<Row>(rows: AsyncIterable<Row>, into: Row[] = []): Promise<Row[]> {
  for await (const row of rows) into.push(row);
  return into;
}

const streamOf = (fleet: FleetClient, name: string, variables?: object, options?: object): AsyncIterable<unknown> =>
  Reflect.apply(fleet.stream, fleet, [name, variables, options]);
const methodOf = (fleet: FleetClient, name: string, variables: object, options?: object): Promise<unknown[]> =>
  Reflect.apply(Reflect.get(fleet, name), fleet, [variables, options]);

describe('every list query', () => {
  const lists = Object.values(operations).filter(({ kind, returns }) => kind === 'query' && returns.list);
  let vehicleId = '';
  const variables: Record<string, object> = {};

  beforeAll(async () => {
    const fleet = makeClient(service);
    const [vehicle] = await fleet.getVehicles();
    const [person] = await fleet.getPeople();
    vehicleId = vehicle?.id ?? '';
    const [from, to] = [new Date(START - 3_600_000), new Date(START)];
    Object.assign(variables, {
      getDevicesBySerial: { serial: vehicle?.assignedDevices?.[0]?.serial },
      getDriverAssignments: { input: { vehicleId } },
      getLatestSnapshots: { vehicleIds: [vehicleId] },
      getPersonCustomFields: { personId: person?.id },
      getSnapshots: { vehicleId, from, to },
      getVehicleCustomFields: { vehicleId },
      getVehicleMappedSensors: { vehicleId },
      getVehiclesByVin: { vin: vehicle?.vin },
    });
  });

  test.each(lists.map(({ name }) => name))('%s: the rows of the method, default fields and some', async (name) => {
    await using fleet = makeClient(service, { baseUrl: listening.url, fetch: undefined });
    const queryVariables = variables[name] ?? {};
    const rows = await methodOf(fleet, name, queryVariables);
    expect(rows).not.toHaveLength(0);
    expect(await read(streamOf(fleet, name, queryVariables))).toEqual(rows);
    const [field = ''] = Object.keys(Object(rows[0]));
    const select = typeof Object(rows[0])[field] === 'object' ? true : { [field]: true };
    expect(await read(streamOf(fleet, name, queryVariables, { select }))).toEqual(
      await methodOf(fleet, name, queryVariables, { select }),
    );
    expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
  });
});

test('nothing but a list can be streamed', () => {
  const fleet = makeClient(service);
  const refusal = (name: unknown) => {
    try {
      streamOf(fleet, String(name));
    } catch (error) {
      return String(error);
    }
    return 'accepted';
  };
  expect(refusal('getVehicleById')).toContain('Call fleet.getVehicleById(...).');
  expect(refusal('deleteGroup')).toContain('does not return one');
  expect(refusal('getVehicle')).toContain('Did you mean "getVehicles"?');
  expect(refusal('toString')).toContain('the name of a query that returns a list');
  expect(() => streamOf(fleet, 'getVehiclesByVin')).toThrow(/vin/);
  expect(() => streamOf(fleet, 'getVehicles', {}, { select: { nme: true } })).toThrow(/nme/);
  expect(service.requests).toEqual([]);
});

test('rows are typed as those of the method', () => {
  // Never called: it only checks types.
  const typed = (fleet: FleetClient) => {
    const all = fleet.stream('getVehicles');
    const row = async () => (await all.next()).value;
    expectTypeOf(row).returns.resolves.toEqualTypeOf<Vehicle | undefined>();
    const some = fleet.stream('getVehicles', {}, { select: { name: true, lastData: { gps: { speed: true } } } });
    const chosen = async () => (await some.next()).value;
    expectTypeOf(chosen).returns.resolves.toExtend<
      { name: string | null; lastData: { gps: { speed: number | null } | null } | null } | undefined
    >();
    fleet.stream('getVehiclesByVin', { vin: 'x' });
    // @ts-expect-error it needs a VIN
    fleet.stream('getVehiclesByVin');
    // @ts-expect-error one vehicle is no list
    fleet.stream('getVehicleById', { id: 'x' });
    // @ts-expect-error a change is no list
    fleet.stream('deleteGroup', { groupId: 'x' });
    // @ts-expect-error there is no such field
    fleet.stream('getVehicles', {}, { select: { nme: true } });
    // @ts-expect-error what was not selected is not there
    void some.next().then(({ value }) => value?.vin);
    const names: ListQuery[] = ['getVehicles', 'getSnapshots'];
    return names;
  };
  expect(typed).toBeTypeOf('function');
});

/** The test writes the answers to getVehicles; the reference service writes all others. */
describe('an answer that arrives slowly', () => {
  let server: Served;
  let answers: ((response: ServerResponse) => void)[] = [];
  const clients: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await serve(async (request, response) => {
      const isList = request.url?.endsWith('/graphql') && request.headers['x-list'] !== undefined;
      const answer = isList ? answers.shift() : undefined;
      if (!answer) return answerFrom(service, request, response);
      await textOf(request);
      response.writeHead(200, { 'content-type': 'application/json' });
      answer(response);
    });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    answers = [];
  });
  afterAll(() => server.close());

  const headers: FleetClientOptions['headers'] = ({ operations: names }) =>
    names.includes('getVehicles') ? { 'x-list': 'yes' } : {};
  const transports = {
    undici: (options: Partial<FleetClientOptions>) =>
      makeClient(service, { baseUrl: server.url, fetch: undefined, headers, ...options }),
    'node:http': (options: Partial<FleetClientOptions>) =>
      new ClientOver(() => nodeTransport(), {
        baseUrl: server.url,
        credentials: { username: 'demo', password: 'demo' },
        retry: { attempts: 5, baseDelayMs: 1, maxDelayMs: 2 },
        headers,
        ...options,
      }),
    'the global fetch': (options: Partial<FleetClientOptions>) =>
      makeClient(service, { baseUrl: server.url, fetch: globalThis.fetch, headers, ...options }),
  };
  function open(transportName: keyof typeof transports = 'undici', options: Partial<FleetClientOptions> = {}) {
    const client = transports[transportName](options);
    clients.push(client);
    return client;
  }

  const select = { name: true } as const;
  const begin = '{"data":{"getVehicles":[';
  /** About 40 KB each: more than one parsed batch. */
  const row = (id: number) => JSON.stringify({ name: `${id} ${'x'.repeat(40_000)}` });
  const rowsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => row(from + at)).join(',');
  const idOf = ({ name }: { name: string | null }) => Number(name?.split(' ')[0]);

  describe.each(Object.keys(transports) as (keyof typeof transports)[])('over %s', (transportName) => {
    test('rows are given before the answer is complete', async () => {
      const fleet = open(transportName);
      const goOn = createDeferred();
      answers.push(async (response) => {
        response.write(`${begin}${rowsOf(0, 3)}`);
        await goOn.promise;
        response.end(`,${rowsOf(3, 5)}]}}`);
      });
      const rows = fleet.stream('getVehicles', {}, { select });
      const first = await rows.next();
      expect(first.done).toBe(false);
      goOn.resolve();
      expect((await read(rows)).map(idOf)).toEqual([1, 2, 3, 4]);
    });

    test('leaving the loop gives the request up, and the turn is free', async () => {
      const fleet = open(transportName);
      const closed = createDeferred();
      answers.push((response) => {
        response.on('close', () => closed.resolve());
        response.write(`${begin}${rowsOf(0, 3)}`);
      });
      for await (const { name } of fleet.stream('getVehicles', {}, { select })) {
        expect(name).toMatch(/^0 /);
        break;
      }
      await closed.promise;
      expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    });

    test('a reader that waits holds the answer back, until another call needs the turn', async () => {
      const fleet = open(transportName);
      const total = 600;
      let written = 0;
      const isHeldBack = createDeferred();
      answers.push(async (response) => {
        response.write(begin);
        for (; written < total; written++) {
          if (response.write(`${written === 0 ? '' : ','}${row(written)}`)) continue;
          const drained = once(response, 'drain');
          // 24 MB exceed any socket's memory: a write blocked for a hundred turns is held back.
          for (let turns = 0; turns < 100 && response.writableNeedDrain; turns++) await nextTurn();
          if (response.writableNeedDrain) isHeldBack.resolve();
          await drained;
        }
        response.end(']}}');
      });
      const rows = fleet.stream('getVehicles', {}, { select });
      const got: number[] = [];
      for await (const one of rows) {
        if (got.push(idOf(one)) !== 1) continue;
        await isHeldBack.promise;
        expect(written).toBeLessThan(total);
        // Another call needs the turn, so the rest is buffered in memory.
        expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
        expect(written).toBe(total);
      }
      expect(got).toEqual(Array.from({ length: total }, (_, at) => at));
    });
  });

  test('errors after rows: the rows stay given, then the error of the method', async () => {
    const fleet = open();
    const goOn = createDeferred();
    answers.push(async (response) => {
      response.write(`${begin}${rowsOf(0, 3)}`);
      await goOn.promise;
      response.end(`,${row(3)}],"getNot":null},"errors":[{"message":"No."}]}`);
    });
    const rows: number[] = [];
    const reading = async () => {
      for await (const one of fleet.stream('getVehicles', {}, { select })) {
        rows.push(idOf(one));
        goOn.resolve();
      }
    };
    const error = await rejection(reading());
    expect(rows).toEqual([0, 1, 2, 3]);
    expect(error).toMatchObject({ code: 'GRAPHQL', operation: 'getVehicles', rowsGiven: 4 });
    expect(String(error)).toContain('4 rows were delivered before.');
    expect(error).not.toHaveProperty('resumeFrom');
  });

  test.each([
    ['before the rows', `{"errors":[{"message":"No."}],"data":{"getVehicles":[${rowsOf(0, 5)}]}}`],
    ['in an answer of few rows', '{"data":{"getVehicles":[{"name":"0"}]},"errors":[{"message":"No."}]}'],
    ['without rows', '{"data":{"getVehicles":null},"errors":[{"message":"No."}]}'],
  ])('errors %s: the error, and no row; with `partial` the rows and a warning', async (_what, body) => {
    const warnings: WarningEvent[] = [];
    const fleet = open('undici', { hooks: { onWarning: (warning) => warnings.push(warning) } });
    answers.push(
      (response) => response.end(body),
      (response) => response.end(body),
    );
    const rows: unknown[] = [];
    const error = await rejection(read(fleet.stream('getVehicles', {}, { select }), rows));
    expect(error).toMatchObject({ code: 'GRAPHQL', rowsGiven: 0 });
    expect(rows).toEqual([]);
    const partial = read(fleet.stream('getVehicles', {}, { select, partial: true }));
    const expected = JSON.parse(body).data.getVehicles;
    if (expected === null) return expect(await rejection(partial)).toMatchObject({ code: 'GRAPHQL' });
    expect(await partial).toEqual(expected);
    expect(warnings[0]?.code).toBe('PARTIAL_DATA');
  });

  test('a connection that breaks before a row is given: the request is sent again', async () => {
    const fleet = open();
    const broken = createDeferred();
    answers.push(
      (response) => {
        response.write(`${begin}{"name":"0"},`, () => response.destroy());
        broken.resolve();
      },
      (response) => response.end(`${begin}{"name":"1"}]}}`),
    );
    expect(await read(fleet.stream('getVehicles', {}, { select }))).toEqual([{ name: '1' }]);
    await broken.promise;
  });

  test.each(['undici', 'node:http'] as const)(
    'one that breaks after that: an error that says how many, and no second request (%s)',
    async (transportName) => {
      const fleet = open(transportName);
      const goOn = createDeferred();
      answers.push(
        async (response) => {
          response.write(`${begin}${rowsOf(0, 3)}`);
          await goOn.promise;
          response.destroy();
        },
        (response) => response.end(`${begin}{"name":"1"}]}}`),
      );
      const rows: number[] = [];
      const reading = async () => {
        for await (const one of fleet.stream('getVehicles', {}, { select }))
          if (rows.push(idOf(one)) === 2) goOn.resolve();
      };
      const error = await rejection(reading());
      expect(error).toBeInstanceOf(FleetError);
      expect(error).toMatchObject({ code: 'NETWORK', rowsGiven: 2, attempts: 1 });
      expect(rows).toEqual([0, 1]);
      expect(answers).toHaveLength(1);
      expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    },
  );

  test('more unread than `maxResponseBytes` is an error', async () => {
    const fleet = open('undici', { maxResponseBytes: 100_000 });
    answers.push((response) => response.write(`${begin}${rowsOf(0, 5)}`));
    const rows = fleet.stream('getVehicles', {}, { select });
    expect(await rejection(read(rows))).toMatchObject({ code: 'RESPONSE_TOO_LARGE', limitBytes: 100_000 });
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
  });

  test('rows that are no JSON are an error', async () => {
    const fleet = open();
    answers.push((response) => response.end(`${begin}${rowsOf(0, 2)},{"name":nope},${rowsOf(2, 4)}]}}`));
    expect(await rejection(read(fleet.stream('getVehicles', {}, { select })))).toMatchObject({ code: 'PROTOCOL' });
  });

  test('null rows are left out, with the warning of the method', async () => {
    const warnings: WarningEvent[] = [];
    const fleet = open('undici', { hooks: { onWarning: (warning) => warnings.push(warning) } });
    const body = `${begin}null,${rowsOf(0, 2)},null,null,${rowsOf(2, 4)},null]}}`;
    answers.push(
      (response) => response.end(body),
      (response) => response.end(body),
    );
    expect((await read(fleet.stream('getVehicles', {}, { select }))).map(idOf)).toEqual([0, 1, 2, 3]);
    await fleet.getVehicles({}, { select });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toEqual(warnings[1]);
  });

  test('any rows, cut anywhere, are those of the method', async () => {
    const fleet = open();
    const name = fc.oneof(fc.string(), fc.constant('}],"errors":[{"name":'), fc.constant(',{"name":"'));
    const some = fc.array(fc.option(fc.record({ name }), { freq: 9 }), { maxLength: 8 });
    const pad = 'y'.repeat(20_000);
    await fc.assert(
      fc.asyncProperty(some, fc.array(fc.nat(), { maxLength: 5 }), async (list, cuts) => {
        const padded = list.map((one) => one && { name: `${one.name}${pad}` });
        const bytes = Buffer.from(JSON.stringify({ data: { getVehicles: padded } }));
        const places = [...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        answers.push((response) => {
          let from = 0;
          for (const place of places) {
            response.write(bytes.subarray(from, place));
            from = place;
          }
          response.end();
        });
        const rows = await read(fleet.stream('getVehicles', {}, { select }));
        expect(rows).toEqual(padded.filter((one) => one !== null));
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('like the method', () => {
  test('a 429, a 503 and a refused token are answered with another request', async () => {
    const fleet = makeClient(service);
    const names = (await fleet.getVehicles()).map(({ name }) => name);
    for (const status of [429, 503, 401]) {
      service.faults.add({ kind: 'status', status, operation: 'getVehicles' });
      expect((await read(fleet.stream('getVehicles'))).map(({ name }) => name)).toEqual(names);
    }
  });

  test('signal, timeoutMs and priority', async () => {
    const fleet = makeClient(service);
    const controller = new AbortController();
    const rows = fleet.stream('getVehicles', {}, { signal: controller.signal });
    controller.abort();
    expect(await rejection(rows.next())).toMatchObject({ code: 'ABORTED' });
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    const slow = makeService();
    slow.faults.add({ ...held, operation: 'getVehicles' });
    const stop = new AbortController();
    const waiting = rejection(read(makeClient(slow).stream('getVehicles', {}, { signal: stop.signal })));
    await untilHeld(slow);
    stop.abort();
    const aborted = await waiting;
    expect(FleetError.is(aborted) && aborted).toMatchObject({
      code: 'ABORTED',
      operation: 'getVehicles',
      rowsGiven: 0,
    });
    slow.faults.clear();
    slow.faults.add({ ...held, operation: 'getVehicles' });
    const late = read(makeClient(slow).stream('getVehicles', {}, { timeoutMs: 20 }));
    expect(await rejection(late)).toMatchObject({ code: 'TIMEOUT', rowsGiven: 0 });
    const other = makeService();
    const client = makeClient(other);
    const [low, normal] = [{ priority: 'low' }, undefined].map((options) =>
      read(streamOf(client, 'getVehicles', {}, options)),
    );
    const high = client.getGroups({}, { priority: 'high' });
    await Promise.all([low, normal, high]);
    expect(other.requests.flatMap(({ operations: names }) => names)).toEqual([
      'getGroups',
      'getVehicles',
      'getVehicles',
    ]);
  });

  test('nothing is sent before the first row is asked for, and not after return', async () => {
    const fleet = makeClient(service);
    const rows = fleet.stream('getVehicles');
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.requests).toEqual([]);
    await rows.return?.();
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    expect(countRuns(service, 'getVehicles')).toBe(0);
  });
});
