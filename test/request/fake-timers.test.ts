// Fake timers in users' tests: they move the SDK's time, and removing them leaves no call hanging.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';
import { FleetClient } from '../../src/index.js';
import { createMockService, type Listening, type MockService } from '../../src/mock/service.js';
import { held } from '../held.js';
import { rejection } from './setup.js';

const credentials = { username: 'demo', password: 'demo' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Moves the clock of this process an hour ahead; a fake clock always starts at zero. */
function ageProcess() {
  const young = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => young() + 3_600_000);
}

/** A fault is used up as soon as its request has arrived. */
async function arrivedAt(service: MockService) {
  while (service.faults.list().length > 0) await vi.advanceTimersByTimeAsync(0);
}

describe.each(['in the process', 'over a socket'])('after a call that ended on the fake clock, %s', (transportName) => {
  let service: MockService;
  let server: Listening;
  let fleet: FleetClient;
  const connect = () =>
    transportName === 'in the process'
      ? new FleetClient({ baseUrl: 'http://fleet.test', credentials, fetch: service.fetch })
      : new FleetClient({ baseUrl: server.url, credentials });

  beforeEach(async () => {
    ageProcess();
    service = createMockService({ vehicles: 2 });
    server = await service.listen();
    fleet = connect();
    await fleet.connect();
    service.faults.add({ ...held, operation: 'getRoles' });
    vi.useFakeTimers();
  });
  afterEach(async () => {
    // A failed test may have left them on.
    vi.useRealTimers();
    await fleet.close();
    await server.close();
  });

  test.each<[string, () => void]>([
    ['reset', () => service.reset()],
    ['without its faults', () => service.faults.clear()],
  ])('a service that is %s answers a new client and the same one', async (_how, tidy) => {
    const call = rejection(fleet.getRoles({}, { timeoutMs: 30_000 }));
    await arrivedAt(service);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
    vi.useRealTimers();
    tidy();
    await using another = connect();
    expect(await another.getVehicles()).toHaveLength(2);
    expect(await fleet.getVehicles()).toHaveLength(2);
  });

  test('an aborted call concerns no other', async () => {
    const controller = new AbortController();
    const call = rejection(fleet.getRoles({}, { signal: controller.signal }));
    await arrivedAt(service);
    controller.abort();
    expect(await call).toMatchObject({ code: 'ABORTED' });
    vi.useRealTimers();
    service.reset();
    await using another = connect();
    expect(await another.getVehicles()).toHaveLength(2);
  });

  test('a call that is forgotten in its pause before a repeat concerns no other', async () => {
    service.faults.clear();
    service.faults.add({ kind: 'status', status: 503, operation: 'getRoles' });
    const call = Promise.allSettled([fleet.getRoles()]);
    await arrivedAt(service);
    await vi.advanceTimersByTimeAsync(0);
    vi.useRealTimers();
    await using another = connect();
    expect(await another.getVehicles()).toHaveLength(2);
    const [outcome] = await call;
    expect('value' in outcome ? outcome.value : outcome.reason).toHaveLength(4);
  });
});

describe('the timers of the process', () => {
  test('follow the fake clock that is there when they start', () => {
    vi.useFakeTimers();
    const run = vi.fn();
    realTimers.after(1_000, run);
    const cancel = realTimers.after(1_000, run);
    cancel();
    vi.advanceTimersByTime(999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  test('wait for a fake clock that stands still, except where nobody should wait in vain', async () => {
    vi.useFakeTimers();
    const waiting = vi.fn();
    realTimers.after(1, waiting);
    await new Promise<void>((resolve) => realTimers.after(5, resolve, { inRealTime: true }));
    expect(waiting).not.toHaveBeenCalled();
  });

  test('end when their clock is taken away, and once', async () => {
    vi.useFakeTimers();
    const run = vi.fn();
    const ended = new Promise<void>((resolve) => {
      realTimers.after(10, () => {
        run();
        resolve();
      });
    });
    vi.useRealTimers();
    await ended;
    expect(run).toHaveBeenCalledOnce();
  });

  test('are cancelled on the clock that they started on', () => {
    const started = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = started();
    const cancel = realTimers.after(60_000, () => undefined);
    vi.useFakeTimers();
    cancel();
    expect(started()).toBe(before);
  });

  test('do not count the age of a process as time that passed', () => {
    ageProcess();
    const before = realTimers.now();
    vi.useFakeTimers();
    vi.advanceTimersByTime(1_000);
    const ahead = realTimers.now();
    vi.useRealTimers();
    const after = realTimers.now();
    expect(ahead - before).toBeLessThan(60_000);
    expect(after - before).toBeLessThan(60_000);
  });

  test('tell a time that never goes back', () => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(3_600_000);
    const ahead = realTimers.now();
    vi.useRealTimers();
    const after = realTimers.now();
    expect(after).toBeGreaterThanOrEqual(ahead);
    expect(after).toBeLessThan(ahead + 60_000);
  });
});

test('attemptTimeoutMs needs only the timers, not the clock', async () => {
  const service = createMockService({ vehicles: 2 });
  await using fleet = new FleetClient({
    baseUrl: 'http://fleet.test',
    credentials,
    fetch: service.fetch,
    retry: false,
    attemptTimeoutMs: 20_000,
  });
  await fleet.connect();
  service.faults.add(held);
  // As node:test does.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const call = rejection(fleet.getRoles());
  await arrivedAt(service);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await call).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('attemptTimeoutMs') });
  service.reset();
});
