// streamSnapshots over real connections: long answers, broken rows, pauses, loop exits, hooks.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';
import type { FleetClientOptions, ResponseEvent } from '../../src/index.js';
import { mockHandlers } from '../../src/mock/msw.js';
import { createDeferred, makeClient, makeService, rejection, START, statusesOf } from '../request/setup.js';
import { withoutOrdinal } from './answered-row.js';

const HOUR = 3_600_000;
const SERVED = 'http://service.test/api';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Answer = (variables: { from: string; to: string }, outgoing: ServerResponse) => void;

/** Starts the reference service over HTTP, with another answer to getSnapshots. */
async function serve(answer: Answer) {
  const service = makeService();
  const server = createServer(async (incoming: IncomingMessage, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (body.includes('getSnapshots')) return answer(JSON.parse(body).variables, outgoing);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const method = incoming.method ?? 'GET';
    const served = await service.fetch(`${SERVED}${incoming.url}`, { method, headers, ...(body ? { body } : {}) });
    outgoing.writeHead(served.status, { 'content-type': 'application/json' }).end(await served.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe cast: the address of a server that listens on a port.
  const { port } = server.address() as { port: number };
  const connect = (options: Partial<FleetClientOptions> = {}) => {
    const fleet = makeClient(service, { baseUrl: `http://127.0.0.1:${port}`, fetch: undefined, ...options });
    closers.push(() => fleet.close());
    return fleet;
  };
  return { service, connect };
}

const VEHICLE_ID = '9b2d7c1e-0f3a-4c55-8a6b-d41e2f907c13';
/** Returns the last hours before START. */
const period = (hours: number) => ({
  vehicleId: VEHICLE_ID,
  from: new Date(START - hours * HOUR),
  to: new Date(START),
});
const rowAt = (time: number, more: object = {}) => ({ timestamp: new Date(time).toISOString(), ...more });
const list = (rows: readonly unknown[]) => JSON.stringify({ data: { getSnapshots: rows } });

async function read(rows: AsyncIterable<unknown>, into: unknown[] = []): Promise<unknown[]> {
  for await (const row of rows) into.push(row);
  return into;
}

/** Returns a row for each minute of the window, including both ends. */
function minutes({ from, to }: { from: string; to: string }): unknown[] {
  const first = Math.ceil(Date.parse(from) / 60_000);
  const count = Math.floor(Date.parse(to) / 60_000) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => rowAt((first + at) * 60_000));
}

test('an answer of more than 32 MiB that no shorter window could avoid', async () => {
  const text = 'ä'.repeat(500);
  const rows = Array.from({ length: 36_000 }, (_, id) => rowAt(START - 1000 + Math.floor(id / 40), { id, text }));
  const whole = Buffer.from(list(rows));
  expect(whole.length).toBeGreaterThan(32 * 1024 * 1024);
  const { connect } = await serve((_window, outgoing) => outgoing.end(whole));
  let at = 0;
  const second = { vehicleId: VEHICLE_ID, from: new Date(START - 1000), to: new Date(START) };
  for await (const row of connect().streamSnapshots(second)) expect(withoutOrdinal(row)).toEqual(rows[at++]);
  expect(at).toBe(rows.length);
});

test('rows that are no JSON in a later window: what was given stays given, and one error says how far it got', async () => {
  const { connect } = await serve((window, outgoing) => {
    const good = list(minutes(window));
    const isFirst = Date.parse(window.from) === START - 5 * HOUR;
    outgoing.end(isFirst ? good : good.replace(/"timestamp":"([^"]*)"\}\]/, '"timestamp":$1}]'));
  });
  const rows: unknown[] = [];
  const error = await rejection(read(connect().streamSnapshots(period(5)), rows));
  expect(rows).toHaveLength(61);
  expect(error).toMatchObject({ code: 'PROTOCOL', operation: 'getSnapshots' });
  expect(String(error)).toMatch(
    /its rows are no JSON\. .* 61 rows were delivered before, including all rows up to 2026-03-01T08:00:00\.000Z\.$/,
  );
});

test('a 429 with a pause in the middle: waited out, no row lost or doubled', async () => {
  let windows = 0;
  const { connect } = await serve((window, outgoing) => {
    windows++;
    if (windows === 2) outgoing.writeHead(429, { 'retry-after': '0' }).end('{}');
    else outgoing.end(list(minutes(window)));
  });
  const retries: string[] = [];
  const fleet = connect({ hooks: { onRetry: ({ reason }) => retries.push(reason) } });
  const rows = await read(fleet.streamSnapshots(period(30)));
  expect(rows.map(withoutOrdinal)).toEqual(
    minutes({ from: String(period(30).from.toISOString()), to: new Date(START).toISOString() }),
  );
  expect(retries).toHaveLength(1);
});

test('rows without a time that two windows share are given once', async () => {
  const nameless = { gps: { speed: 7 } };
  const { connect } = await serve((window, outgoing) => {
    outgoing.end(list([nameless, ...minutes(window), nameless, null].filter((row) => row !== null)));
  });
  const rows = await read(connect().streamSnapshots(period(1.5)));
  expect(rows.filter((row) => JSON.stringify(withoutOrdinal(row)) === JSON.stringify(nameless))).toHaveLength(2);
  expect(rows).toHaveLength(91 + 2);
});

test('passes the size of the whole answer to the hooks', async () => {
  const whole = list(minutes({ from: new Date(START - HOUR).toISOString(), to: new Date(START).toISOString() }));
  const { connect } = await serve((_window, outgoing) => outgoing.end(whole));
  const events: ResponseEvent[] = [];
  const fleet = connect({ hooks: { onResponse: (event) => events.push(event) } });
  await read(fleet.streamSnapshots(period(1)));
  expect(events.filter(({ operations }) => operations.includes('getSnapshots'))).toMatchObject([
    { status: 200, bytes: Buffer.byteLength(whole) },
  ]);
});

describe('leaving the loop', () => {
  // An abandoned call would be aborted after five seconds anyway: here no time passes.
  beforeEach(() => void vi.spyOn(realTimers, 'after').mockImplementation(() => () => undefined));
  afterEach(() => void vi.restoreAllMocks());

  test('while the next answer arrives hangs up at once, and reports no retry', async () => {
    const hungUp = createDeferred();
    const begun = createDeferred();
    const { connect } = await serve((window, outgoing) => {
      if (Date.parse(window.from) === START - 5 * HOUR) {
        outgoing.end(list(minutes(window)));
        return;
      }
      outgoing.on('close', () => hungUp.resolve());
      // More than the sockets buffer: once written, the client has read some. It never ends.
      outgoing.write(`{"data":{"getSnapshots":[${' '.repeat(16 * 1024 * 1024)}`, () => begun.resolve());
    });
    const retries: unknown[] = [];
    const fleet = connect({ hooks: { onRetry: (event) => retries.push(event) } });
    for await (const _ of fleet.streamSnapshots(period(5))) {
      await begun.promise;
      break;
    }
    await hungUp.promise;
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    expect(retries).toEqual([]);
  });

  test('before the next answer begins hangs up when it begins', async () => {
    const hungUp = createDeferred();
    const arrived = createDeferred<ServerResponse>();
    const { connect } = await serve((window, outgoing) => {
      if (Date.parse(window.from) === START - 5 * HOUR) {
        outgoing.end(list(minutes(window)));
        return;
      }
      outgoing.on('close', () => hungUp.resolve());
      arrived.resolve(outgoing);
    });
    const fleet = connect();
    for await (const _ of fleet.streamSnapshots(period(5))) {
      (await arrived.promise).flushHeaders();
      break;
    }
    (await arrived.promise).write('{"data":{"getSnapshots":[');
    await hungUp.promise;
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
  });
});

test('with msw in between, over the global fetch', async () => {
  const service = makeService();
  const msw = setupServer(...mockHandlers(service, SERVED));
  msw.listen({ onUnhandledRequest: 'error' });
  closers.push(() => msw.close());
  const fleet = makeClient(service, { fetch: globalThis.fetch });
  closers.push(() => fleet.close());
  const vehicleId = (await fleet.getActiveVehicles())[0]?.id ?? '';
  const days = { vehicleId, from: new Date(START - 72 * HOUR), to: new Date(START) };
  const whole = await fleet.getSnapshots(days);
  const streamed = await read(fleet.streamSnapshots(days));
  expect(streamed.length).toBeGreaterThan(100);
  expect(streamed.map((row) => JSON.stringify(withoutOrdinal(row))).sort()).toEqual(
    whole.map((row) => JSON.stringify(row)).sort(),
  );
  expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
});
