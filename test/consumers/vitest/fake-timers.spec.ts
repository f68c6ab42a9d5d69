// A call that ends on a test's fake clock does not affect later tests.
import { FleetClient } from 'fleet-telematics';
import { createMockService, type Listening, type MockService } from 'fleet-telematics/mock';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

const credentials = { username: 'demo', password: 'demo' };

/** A fault is used up as soon as its request has arrived. */
async function arrivedAt(service: MockService) {
  while (service.faults.list().length > 0) await vi.advanceTimersByTimeAsync(0);
}

describe.each(['in the process', 'over a socket'])('%s', (transport) => {
  const service = createMockService({ vehicles: 3 });
  const clean = service.snapshot();
  let server: Listening;
  let fleet: FleetClient;
  const connect = () =>
    transport === 'in the process'
      ? new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: service.fetch })
      : new FleetClient({ baseUrl: server.url, credentials });
  beforeAll(async () => {
    server = await service.listen();
    fleet = connect();
  });
  afterAll(async () => {
    await fleet.close();
    await server.close();
  });
  afterEach(() => void vi.useRealTimers());

  describe.each<[string, () => void]>([
    ['reset', () => service.reset()],
    [
      'restored',
      () => {
        service.restore(clean);
        service.faults.clear();
      },
    ],
  ])('and the service is %s', (_how, tidy) => {
    afterEach(tidy);

    const ends: [string, (fleet: FleetClient) => Promise<unknown>][] = [
      [
        'TIMEOUT',
        async (client) => {
          const call = client.getRoles({}, { timeoutMs: 30_000 }).catch((error) => error);
          await arrivedAt(service);
          await vi.advanceTimersByTimeAsync(30_000);
          return call;
        },
      ],
      [
        'ABORTED',
        async (client) => {
          const controller = new AbortController();
          const call = client.getRoles({}, { signal: controller.signal }).catch((error) => error);
          await arrivedAt(service);
          controller.abort();
          return call;
        },
      ],
    ];
    test.each(ends)('a call ends with %s', async (code, end) => {
      await fleet.connect();
      service.faults.add({ kind: 'delay', ms: 120_000, operation: 'getRoles' });
      vi.useFakeTimers();
      expect(await end(fleet)).toMatchObject({ code });
    });

    test('a new client works', async () => {
      await using another = connect();
      expect(await another.getVehicles()).toHaveLength(3);
    });

    test('the same client works', async () => {
      expect(await fleet.getVehicles()).toHaveLength(3);
    });
  });

  test('a call that is forgotten in its pause before a repeat concerns nobody', async () => {
    await fleet.connect();
    service.faults.add({ kind: 'status', status: 503, operation: 'getRoles' });
    vi.useFakeTimers();
    void fleet.getRoles().catch(() => undefined);
    await arrivedAt(service);
    await vi.advanceTimersByTimeAsync(0);
    vi.useRealTimers();
    await using another = connect();
    expect(await another.getVehicles()).toHaveLength(3);
  });
});

test('the fake clock moves deadlines, pauses, delays and latency', async () => {
  const service = createMockService({ vehicles: 3, latencyMs: 3_000 });
  await using fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: service.fetch });
  await fleet.login();
  vi.useFakeTimers();
  const after = async (ms: number, call: Promise<unknown>) => {
    const outcome = call.catch((error) => error);
    await vi.advanceTimersByTimeAsync(ms);
    return outcome;
  };
  expect(await after(3_000, fleet.getVehicles())).toHaveLength(3);
  service.faults.add({ kind: 'delay', ms: 60_000 });
  expect(await after(63_000, fleet.getVehicles({}, { timeoutMs: 90_000 }))).toHaveLength(3);
  service.faults.add({ kind: 'status', status: 503, times: 2 });
  expect(await after(20_000, fleet.getVehicles())).toHaveLength(3);
  service.faults.add({ kind: 'delay', ms: 60_000 });
  expect(await after(40_000, fleet.getVehicles({}, { timeoutMs: 40_000 }))).toMatchObject({ code: 'TIMEOUT' });
  vi.useRealTimers();
});
