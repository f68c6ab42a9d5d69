// The service's time from Date headers. The test controls the clocks of service and machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BaseClient } from '../../src/base-client.js';
import { type Fetch, FleetClient, type FleetClientOptions, memoryTokenStore } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { shortLivedTransport } from '../../src/transport/runtime-transport.js';
import { ClientOver, makeClient, makeService, START, statusesOf } from '../request/setup.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const OFF = 3.6 * DAY;

function handClock(time: number) {
  return {
    now: () => time,
    advance(ms: number) {
      time += ms;
    },
  };
}

/** Creates a service at START, and a machine whose clock is behind it. */
function apart(options: Partial<FleetClientOptions> = {}, behind = OFF) {
  const service = makeService();
  const local = handClock(START - behind);
  return { service, local, fleet: makeClient(service, { clock: local, ...options }) };
}

function withHeaders({ fetch }: MockService, change: (headers: Headers) => void): Fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const headers = new Headers(answer.headers);
    change(headers);
    return new Response(await answer.text(), { status: answer.status, headers });
  };
}

/** A Date has whole seconds, so the error is up to half a second. */
const nearly = (time: number) => ({ asymmetricMatch: (value: number) => Math.abs(value - time) <= 500 });

describe('the time of the service', () => {
  test('is this machine’s until the first answer, and the service’s from then on', async () => {
    const { service, local, fleet } = apart();
    expect(fleet.serviceNow()).toBe(START - OFF);
    await fleet.getLabels();
    expect(fleet.serviceNow()).toEqual(nearly(START));
    local.advance(90_000);
    service.clock.advance(90_000);
    expect(fleet.serviceNow()).toEqual(nearly(START + 90_000));
  });

  test('is what each answer says when one of the clocks is moved', async () => {
    const { service, local, fleet } = apart();
    await fleet.getLabels();
    service.clock.advance(60_000);
    await fleet.getLabels();
    expect(fleet.serviceNow()).toEqual(nearly(START + 60_000));
    local.advance(-30_000);
    await fleet.getLabels();
    expect(fleet.serviceNow()).toEqual(nearly(START + 60_000));
  });

  test('is known to all clients of the login', async () => {
    const { fleet } = apart();
    const [user] = await fleet.listLoginUsers();
    const sibling = fleet.forUser({ userId: user?.userId ?? '' });
    expect(sibling.serviceNow()).toEqual(nearly(START));
  });

  test.each([-1_000, -400, 0, 400, 1_000])('%i ms apart is no difference', async (behind) => {
    const { fleet } = apart({}, behind);
    await fleet.getLabels();
    expect(fleet.serviceNow()).toBe(START - behind);
  });

  test.each([-3_000, 3_000])('%i ms apart is one', async (behind) => {
    const { fleet } = apart({}, behind);
    await fleet.getLabels();
    expect(fleet.serviceNow()).toBe(START + 500);
  });

  test('is in the middle of what a slow answer allows, and closer after a quick one', async () => {
    const local = handClock(START - OFF);
    const service = makeService();
    let latencyMs = 4_000;
    const fetch: Fetch = async (url, init) => {
      local.advance(latencyMs);
      service.clock.advance(latencyMs);
      const answer = await service.fetch(url, init);
      local.advance(latencyMs);
      service.clock.advance(latencyMs);
      return answer;
    };
    const fleet = makeClient(service, { clock: local, fetch });
    await fleet.connect();
    expect(fleet.serviceNow() - service.clock.now()).toBe(500);
    latencyMs = 0;
    service.clock.advance(700);
    local.advance(700);
    await fleet.getLabels();
    // The second answer shows that the service is not behind the middle of the second.
    expect(Math.abs(fleet.serviceNow() - service.clock.now())).toBeLessThanOrEqual(500);
    // A slow answer does not make it worse.
    const knownOffset = fleet.serviceNow() - local.now();
    latencyMs = 30_000;
    await fleet.getLabels();
    expect(Math.abs(fleet.serviceNow() - local.now() - knownOffset)).toBeLessThanOrEqual(500);
  });

  test.each<[string, (headers: Headers) => void]>([
    ['no Date', (headers) => headers.delete('date')],
    ['a text that Date would read', (headers) => headers.set('date', '2026-03-01T12:00:00Z')],
    ['a day that does not exist', (headers) => headers.set('date', 'Mon, 30 Feb 2026 12:00:00 GMT')],
    ['two of them', (headers) => headers.append('date', 'Sun, 01 Mar 2026 12:00:00 GMT')],
    ['an answer out of a cache', (headers) => headers.set('age', '12')],
  ])('is this machine’s with %s', async (_what, change) => {
    const service = makeService();
    const local = handClock(START - OFF);
    const fleet = makeClient(service, { clock: local, fetch: withHeaders(service, change) });
    await fleet.getLabels();
    expect(fleet.serviceNow()).toBe(START - OFF);
  });

  test('counts an answer that has just passed a cache', async () => {
    const service = makeService();
    const fetch = withHeaders(service, (headers) => headers.set('age', '0'));
    const fleet = makeClient(service, { clock: handClock(START - OFF), fetch });
    await fleet.getLabels();
    expect(fleet.serviceNow()).toEqual(nearly(START));
  });

  test('is not learned from a failure, which may be a proxy’s', async () => {
    const { service, fleet } = apart({ retry: false });
    service.faults.add({ kind: 'status', status: 503, times: 1, path: '/login/token' });
    await expect(fleet.getLabels()).rejects.toMatchObject({ code: 'HTTP' });
    expect(fleet.serviceNow()).toBe(START - OFF);
  });

  test('is what a Retry-After date is read by', async () => {
    // The shortest random pause.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const service = makeService();
    const waits: number[] = [];
    let asks = 0;
    const fetch: Fetch = (url, init) => {
      if (!url.endsWith('/graphql') || ++asks !== 1) return service.fetch(url, init);
      const headers = { 'retry-after': new Date(START).toUTCString() };
      return Promise.resolve(new Response('', { status: 429, headers }));
    };
    const hooks = { onRetry: ({ waitMs }: { waitMs: number }) => void waits.push(waitMs) };
    const fleet = makeClient(service, { clock: handClock(START - OFF), fetch, hooks, timeoutMs: 2_000 });
    await fleet.getLabels();
    expect(waits).toEqual([0]);
  });

  test('says nothing of tokens: they are measured on this machine’s clock', async () => {
    const { service, local, fleet } = apart();
    await fleet.getLabels();
    for (let minute = 0; minute < 3; minute++) {
      local.advance(60_000);
      service.clock.advance(60_000);
      await fleet.getLabels();
    }
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    expect((await fleet.session())?.accessExpiresAt.getTime()).toBe(START - OFF + 300_000);
  });
});

describe('before the first call', () => {
  test('connect() makes it known at the price of the login that the call needs anyway', async () => {
    const { service, fleet } = apart();
    expect(await fleet.connect()).toMatchObject({ username: 'demo' });
    expect(fleet.serviceNow()).toEqual(nearly(START));
    await fleet.connect();
    await fleet.getLabels();
    expect(service.requests.map(({ path }) => path)).toEqual(['/login/token', '/login/userinfo', '/graphql']);
  });

  test('a kept session tells it, and nothing is sent', async () => {
    const tokenStore = memoryTokenStore();
    const { service, local, fleet } = apart({ tokenStore });
    await fleet.connect();
    service.clearRequests();
    const next = makeClient(service, { clock: local, tokenStore });
    await next.connect();
    expect(next.serviceNow()).toEqual(nearly(START));
    expect(service.requests).toEqual([]);
  });

  test('a kept session that is over tells it by the refresh', async () => {
    const tokenStore = memoryTokenStore();
    const { service, local, fleet } = apart({ tokenStore });
    await fleet.connect();
    local.advance(600_000);
    service.clock.advance(2 * DAY);
    service.clearRequests();
    const next = makeClient(service, { clock: local, tokenStore });
    await next.connect().catch(() => undefined);
    expect(next.serviceNow()).toEqual(nearly(START + 2 * DAY));
  });

  test('it is not kept where the clocks agree, so stores hold what they held', async () => {
    const tokenStore = memoryTokenStore();
    const { fleet } = apart({ tokenStore }, 0);
    await fleet.connect();
    const [key = ''] = (await tokenStore.keys?.()) ?? [];
    expect(Object.keys((await tokenStore.load(key)) ?? {})).not.toContain('serviceAheadMs');
  });

  test('connect() says at once that the credentials are wrong', async () => {
    const { fleet } = apart({ credentials: { username: 'demo', password: 'wrong' } });
    await expect(fleet.connect()).rejects.toMatchObject({ code: 'AUTHENTICATION' });
  });
});

test.each<[string, (options: FleetClientOptions) => BaseClient]>([
  ['the built-in connections', (options) => new FleetClient(options)],
  ['the connections of the command line', (options) => new ClientOver(() => shortLivedTransport({}), options)],
  ['the global fetch', (options) => new FleetClient({ ...options, fetch: globalThis.fetch })],
])('over HTTP through %s, in rows too', async (_how, makeClient) => {
  const service = makeService();
  const server = await service.listen();
  onTestFinished(() => server.close());
  const local = handClock(START - OFF);
  const fleet = makeClient({
    baseUrl: server.url,
    credentials: { username: 'demo', password: 'demo' },
    clock: local,
  });
  onTestFinished(() => fleet.close());
  const [vehicle] = await fleet.getVehicles();
  expect(fleet.serviceNow()).toEqual(nearly(START));
  service.clock.advance(DAY / 24 / 60);
  for await (const _ of fleet.streamSnapshots({
    vehicleId: vehicle?.id ?? '',
    from: new Date(START - DAY),
    to: new Date(START),
  }));
  expect(fleet.serviceNow()).toEqual(nearly(START + DAY / 24 / 60));
});

test('a server that sends no Date does no harm', async () => {
  const server = createServer((_incoming, outgoing) => {
    outgoing.sendDate = false;
    outgoing.end('{"access_token":"a","refresh_token":"b"}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fleet = makeClient(makeService(), {
    baseUrl: `http://127.0.0.1:${port}`,
    clock: handClock(START),
    fetch: undefined,
  });
  onTestFinished(() => fleet.close());
  await fleet.connect();
  expect(fleet.serviceNow()).toBe(START);
});

describe('a service clock that jumps', () => {
  /** Creates a service behind a gateway with an adjustable clock, and a client on a machine. */
  function gateway(machineOff = 0, options: Partial<FleetClientOptions> = {}) {
    const service = makeService();
    const ahead = { ms: 0 };
    const warnings: string[] = [];
    const fetch = withHeaders(service, (headers) =>
      headers.set('date', new Date(service.clock.now() + ahead.ms).toUTCString()),
    );
    const clock = { now: () => service.clock.now() + machineOff };
    const client = () =>
      makeClient(service, {
        ...{ fetch, clock, ...options },
        hooks: { onWarning: ({ code, message }) => void warnings.push(`${code}: ${message}`) },
      });
    return { service, ahead, warnings, client };
  }

  test('is told once each time', async () => {
    const { ahead, warnings, client } = gateway();
    const fleet = client();
    await fleet.getLabels();
    ahead.ms = DAY;
    await fleet.getLabels();
    await fleet.getGroups();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^SERVICE_CLOCK: The service's clock is 1 d ahead of the clock of this machine; it was equal/,
      ),
    ]);
    ahead.ms = 0;
    await fleet.getLabels();
    expect(warnings).toHaveLength(1);
    ahead.ms = -DAY / 2;
    await fleet.getLabels();
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain('12 h behind');
  });

  test('is told by each program that goes on with the session, also after refreshes', async () => {
    const { service, ahead, warnings, client } = gateway(0, { tokenStore: memoryTokenStore() });
    await client().connect();
    ahead.ms = DAY;
    for (let program = 1; program <= 3; program++) {
      service.clock.advance(400_000);
      await client().getLabels();
      expect(warnings).toHaveLength(program);
    }
    await client().login();
    await client().getLabels();
    expect(warnings).toHaveLength(3);
    ahead.ms = 0;
    await client().getLabels();
    expect(warnings).toHaveLength(3);
  });

  test.each([0, 13 * HOUR, -13 * HOUR, 400 * DAY])(
    'is none where the machine is constantly %i ms off',
    async (machineOff) => {
      const { service, warnings, client } = gateway(machineOff, { tokenStore: memoryTokenStore() });
      for (let program = 0; program < 3; program++) {
        const fleet = client();
        await fleet.getLabels();
        service.clock.advance(200_000);
        await fleet.getLabels();
        service.clock.advance(DAY);
      }
      expect(warnings).toEqual([]);
    },
  );
});
