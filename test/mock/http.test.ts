// The service over real HTTP: one active request per user, and faults on a socket.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Listening, MockService, MockServiceOptions } from '../../src/mock/service.js';
import { held, untilHeld } from '../held.js';
import { until } from '../until.js';
import { type Caller, caller, frozenService, post } from './caller.js';

let service: MockService;
let server: Listening;

async function start(options: MockServiceOptions = {}): Promise<void> {
  await server?.close();
  service = frozenService(options);
  server = await service.listen();
}

beforeEach(() => start());
afterEach(() => server.close());

/** The global fetch, redirected to the server. */
const fetch: typeof globalThis.fetch = (input, init) =>
  globalThis.fetch(String(input).replace('http://mock.test', server.url), init);

const body = JSON.stringify({ query: '{ getVehicles { id } }' });

interface Sent {
  readonly request: ClientRequest;
  readonly answer: Promise<{ status: number; body: string }>;
}

/** Sends a request on its own connection. */
function send(headers: Record<string, string>, text = body): Sent {
  let settle: (answer: { status: number; body: string }) => void;
  let fail: (error: Error) => void;
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  // Tests that hang up do not await the answer.
  answer.catch(() => {});
  const request = httpRequest(
    `${server.url}/graphql`,
    { method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } },
    (response: IncomingMessage) => {
      let received = '';
      response.on('data', (chunk: Buffer) => {
        received += chunk.toString();
      });
      response.on('end', () => settle({ status: response.statusCode ?? 0, body: received }));
      response.on('error', (error) => fail(error));
    },
  );
  request.on('error', (error) => fail(error));
  request.end(text);
  return { request, answer };
}

describe('one active request per user (429)', () => {
  test('two overlapping requests of one user: one 200, one 429, whichever header or token selects the user', async () => {
    const [first, second] = [await caller(fetch), await caller(fetch)];
    const byFleet = { authorization: second.headers.authorization ?? '', fleetId: second.user.fleetId };
    service.faults.add(held);
    const active = send(first.headers).answer;
    await untilHeld(service);
    const refused = await send(byFleet).answer;
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining('TOO_MANY_REQUESTS')]);
    service.faults.clear();
    expect((await active).status).toBe(200);
  });

  test('without any latency too: of 50 requests at once, some are refused, over HTTP and in the process', async () => {
    const overHttp = await caller(fetch);
    const sent = await Promise.all(Array.from({ length: 50 }, () => send(overHttp.headers).answer));
    expect(sent.map(({ status }) => status)).toContain(429);
    expect(sent.map(({ status }) => status)).toContain(200);
    const inProcess = await caller(service.fetch);
    const answered = await Promise.all(Array.from({ length: 50 }, () => inProcess('{ getVehicles { id } }')));
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 429)]);
  });

  test('in the process a request is active until its answer has been read, cancelled or aborted', async () => {
    const { headers } = await caller(service.fetch);
    const init = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
    const post = (signal?: AbortSignal) =>
      service.fetch('http://mock.test/graphql', signal === undefined ? init : { ...init, signal });
    const read = await post();
    expect((await post()).status).toBe(429);
    await read.text();
    const cancelled = await post();
    expect([cancelled.status, (await post()).status]).toEqual([200, 429]);
    await cancelled.body?.cancel();
    const controller = new AbortController();
    const aborted = await post(controller.signal);
    expect([aborted.status, (await post()).status]).toEqual([200, 429]);
    controller.abort();
    await expect(aborted.text()).rejects.toMatchObject({ name: 'AbortError' });
    const unreadResponse = await post();
    expect([unreadResponse.status, (await post()).status]).toEqual([200, 429]);
    service.reset();
    const again = await caller(service.fetch);
    const next = await again('{ getRoles { id } }');
    // The end of a request from before the reset must not end the new one.
    const active = await service.fetch('http://mock.test/graphql', {
      ...init,
      headers: { ...again.headers, 'content-type': 'application/json' },
    });
    await unreadResponse.text();
    expect([next.status, active.status, (await again('{ getRoles { id } }')).status]).toEqual([200, 200, 429]);
  });

  test('other users, and the same login as another user, are not concerned; login endpoints are not counted', async () => {
    const everybody = [
      await caller(fetch),
      await caller(fetch, 'limited'),
      await caller(fetch, 'multi', 0),
      await caller(fetch, 'multi', 1),
    ];
    service.faults.add({ ...held, times: everybody.length });
    const answers = everybody.map(({ headers }) => send(headers).answer);
    await untilHeld(service);
    const login = await caller(fetch);
    expect(login.user.userId).toBe(everybody[0]?.user.userId);
    service.faults.clear();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('a refused request runs nothing; the turn is free as soon as the answer has arrived', async () => {
    service.faults.add({ ...held, operation: 'createGroup' });
    const demo = await caller(fetch);
    const create = JSON.stringify({ query: 'mutation { createGroup(createGroupInput: { name: "Once" }) { id } }' });
    const active = send(demo.headers, create).answer;
    await untilHeld(service);
    expect((await send(demo.headers, create).answer).status).toBe(429);
    service.faults.clear();
    expect((await active).status).toBe(200);
    const { getGroups } = await demo.data('{ getGroups { name } }');
    expect(getGroups.filter(({ name }: { name: string }) => name === 'Once')).toHaveLength(1);
    for (let i = 0; i < 5; i += 1) expect((await send(demo.headers).answer).status).toBe(200);
  });

  test('a client that hangs up keeps its turn until the work is done, and the work is done', async () => {
    await start({});
    const demo = await caller(fetch);
    const create = JSON.stringify({ query: 'mutation { createGroup(createGroupInput: { name: "Orphan" }) { id } }' });
    service.faults.add({ ...held, operation: 'createGroup' });
    const left = send(demo.headers, create);
    await untilHeld(service);
    left.request.destroy();
    await until(() => left.request.closed);
    expect((await send(demo.headers).answer).status).toBe(429);
    service.faults.clear();
    await until(() => service.requests.some((entry) => entry.operations.includes('createGroup')));
    const { getGroups } = await demo.data('{ getGroups { name } }');
    expect(getGroups.some(({ name }: { name: string }) => name === 'Orphan')).toBe(true);
  });

  test('an answer that the client does not read keeps the turn; hanging up frees it', async () => {
    const demo = await caller(fetch);
    const { getActiveVehicles } = await demo.data('{ getActiveVehicles { id } }');
    const to = service.clock.now();
    const query = `{ getSnapshots(vehicleId: "${getActiveVehicles[0].id}", from: "${new Date(to - 90 * 86_400_000).toISOString()}", to: "${new Date(to).toISOString()}") { timestamp gps { latitude longitude speed direction altitude hdop satellites state } locationTimestamp locationTimeZone vehicleId } }`;
    const request = httpRequest(`${server.url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...demo.headers },
    });
    const response = await new Promise<IncomingMessage>((resolve) => {
      request.on('response', resolve);
      request.end(JSON.stringify({ query }));
    });
    expect((await demo('{ getRoles { id } }')).status).toBe(429);
    response.destroy();
    let status = 429;
    while (status === 429) ({ status } = await demo('{ getRoles { id } }'));
    expect(status).toBe(200);
  });
});

describe('faults on a socket', () => {
  let demo: Caller;
  beforeEach(async () => {
    demo = await caller(fetch);
  });
  const create = 'mutation { createGroup(createGroupInput: { name: "Perhaps" }) { id } }';
  const created = async () =>
    (await demo.data('{ getGroups { name } }')).getGroups.some(({ name }: { name: string }) => name === 'Perhaps');

  test('reset: the connection breaks after the mutation has been applied', async () => {
    service.faults.add({ kind: 'reset', operation: 'createGroup' });
    await expect(send(demo.headers, JSON.stringify({ query: create })).answer).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await created()).toBe(true);
  });

  test('truncate: the announced length never arrives, and the mutation has been applied', async () => {
    service.faults.add({ kind: 'truncate', operation: 'createGroup' });
    await expect(send(demo.headers, JSON.stringify({ query: create })).answer).rejects.toThrow(/aborted|ECONNRESET/);
    expect(await created()).toBe(true);
  });

  test('status: refused before anything runs', async () => {
    service.faults.add({ kind: 'status', status: 503, retryAfter: 2, operation: 'createGroup' });
    const answer = await demo(create);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await created()).toBe(false);
  });
});

test('gzip and brotli when asked for, for answers that are streamed too; nothing when not', async () => {
  const demo = await caller(fetch);
  const { getActiveVehicles } = await demo.data('{ getActiveVehicles { id } }');
  const to = service.clock.now();
  const snapshots = `{ getSnapshots(vehicleId: "${getActiveVehicles[0].id}", from: "${new Date(to - 86_400_000).toISOString()}", to: "${new Date(to).toISOString()}") { timestamp gps { latitude } } }`;
  for (const query of ['{ getVehicles { id name vin } }', snapshots]) {
    const raw = (accept: string) =>
      new Promise<{ encoding: string | undefined; body: Buffer }>((resolve) => {
        const headers = { 'content-type': 'application/json', 'accept-encoding': accept, ...demo.headers };
        const request = httpRequest(`${server.url}/graphql`, { method: 'POST', agent: false, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
          );
        });
        request.end(JSON.stringify({ query }));
      });
    const plain = await raw('identity');
    const gzip = await raw('br;q=0.5, gzip');
    const br = await raw('br, gzip;q=0.5');
    const none = await raw('gzip;q=0');
    expect([plain.encoding, gzip.encoding, br.encoding, none.encoding]).toEqual([undefined, 'gzip', 'br', undefined]);
    expect(gzip.body.length).toBeLessThan(plain.body.length);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  }
});

test('nonsense on the wire is answered or dropped, and the service lives on', async () => {
  const demo = await caller(fetch);
  expect((await globalThis.fetch(`${server.url}/nowhere`)).status).toBe(404);
  expect((await globalThis.fetch(`${server.url}/graphql`)).status).toBe(405);
  const huge = `{"query":"{ getRoles { id } }","variables":{"x":"${'y'.repeat(9 * 1024 * 1024)}"}}`;
  const answer = await send(demo.headers, huge).answer.catch((error: NodeJS.ErrnoException) => ({
    status: error.code,
  }));
  expect([413, 'ECONNRESET', 'EPIPE']).toContain(answer.status);
  const broken = send({ ...demo.headers, 'content-length': '1000' });
  broken.request.destroy();
  expect((await post(fetch, demo.headers, body)).status).toBe(200);
});

test('binds to loopback unless told otherwise, any port, and closes with open connections', async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const second = await service.listen();
  expect(second.port).not.toBe(server.port);
  await globalThis.fetch(`${second.url}/__mock/health`);
  await second.close();
  await expect(globalThis.fetch(`${second.url}/__mock/health`)).rejects.toThrow();
});
