// GraphQL errors, the deadline, an abort. fault-matrix.heavy.test.ts tries all faults.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { held, untilHeld } from '../held.js';
import { until } from '../until.js';
import { countRuns, makeClient, makeService, rejection, statusesOf } from './setup.js';

const DEADLINE_MS = 1_000;
const name = { createGroupInput: { name: 'new' } };

describe('GraphQL errors', () => {
  test('are not repeated, and hold what the service said', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    service.faults.add({ kind: 'graphqlError', operation: 'getVehicleTypes', message: 'said by the service' });
    const error = await rejection(fleet.getVehicleTypes());
    expect(error).toMatchObject({ code: 'GRAPHQL', operation: 'getVehicleTypes', attempts: 1, retryable: false });
    expect(error).toHaveProperty('serviceErrors', [expect.objectContaining({ message: 'said by the service' })]);
    expect(error).toHaveProperty('data', { getVehicleTypes: null });
    expect(String(error)).not.toContain('said by the service');
    expect(countRuns(service, 'getVehicleTypes')).toBe(1);
  });

  test('of a document that the service does not accept', async () => {
    const service = makeService();
    const error = await rejection(makeClient(service).request('{ getNothing { id } }'));
    expect(error).toMatchObject({ code: 'GRAPHQL', classification: 'ValidationError' });
  });
});

describe('the deadline', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('still 429 at its end is a RateLimitError', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.login();
    service.faults.add({ kind: 'status', status: 429, retryAfter: 3600, path: '/graphql', times: 1000 });
    const error = rejection(fleet.getVehicleTypes({}, { timeoutMs: DEADLINE_MS }));
    await until(() => statusesOf(service, '/graphql').length > 0);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await error).toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: 3_600_000, retryable: true });
  });

  test('a query that is not answered in time is a TimeoutError, and the lane goes on when it is over', async () => {
    const service = makeService();
    const fleet = makeClient(service, { merge: false });
    await fleet.login();
    service.faults.add({ ...held, path: '/graphql' });
    const late = rejection(fleet.getVehicleTypes({}, { timeoutMs: DEADLINE_MS }));
    const next = fleet.getVehicleTypes();
    await untilHeld(service);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await late).toMatchObject({ code: 'TIMEOUT', attempts: 1, retryable: true });
    service.faults.clear();
    expect(await next).not.toHaveLength(0);
    expect(statusesOf(service, '/graphql')).toEqual([200, 200]);
  });

  test('a mutation that is not answered in time is ambiguous', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.login();
    await fleet.listLoginUsers();
    service.faults.add({ ...held, path: '/graphql' });
    const late = rejection(fleet.createGroup(name, { timeoutMs: DEADLINE_MS }));
    await untilHeld(service);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await late).toMatchObject({ code: 'AMBIGUOUS_MUTATION' });
  });

  test('a mutation that timed out waiting for its turn was never sent: a TimeoutError', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.login();
    service.faults.add({ ...held, path: '/graphql' });
    const first = fleet.getVehicleTypes();
    await untilHeld(service);
    const late = rejection(fleet.createGroup(name, { timeoutMs: DEADLINE_MS }));
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await late).toMatchObject({ code: 'TIMEOUT', attempts: 0 });
    service.faults.clear();
    await first;
    expect(countRuns(service, 'createGroup')).toBe(0);
  });
});

describe('an abort', () => {
  test('before, while waiting in the lane, in back-off, and on the wire', async () => {
    const service = makeService();
    const fleet = makeClient(service, { retry: { baseDelayMs: 100_000, maxDelayMs: 100_000 } });
    await fleet.login();
    const gone = AbortSignal.abort();
    expect(await outcome(fleet.getVehicleTypes({}, { signal: gone }))).toBe('ABORTED');

    service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
    const inBackOff = new AbortController();
    const inLane = new AbortController();
    const first = rejection(fleet.getVehicleTypes({}, { signal: inBackOff.signal }));
    const second = rejection(fleet.createGroup(name, { signal: inLane.signal }));
    await until(() => statusesOf(service, '/graphql').length === 1);
    inLane.abort();
    expect(await second).toMatchObject({ code: 'ABORTED', attempts: 0 });
    inBackOff.abort();
    expect(await first).toMatchObject({ code: 'ABORTED', attempts: 1 });

    service.faults.add({ ...held, path: '/graphql' });
    const onWire = new AbortController();
    const query = rejection(fleet.getVehicleTypes({}, { signal: onWire.signal }));
    await untilHeld(service);
    onWire.abort();
    expect(await query).toMatchObject({ code: 'ABORTED', attempts: 1 });
    service.faults.clear();

    service.faults.add({ ...held, path: '/graphql' });
    const onWireToo = new AbortController();
    const mutation = rejection(fleet.createGroup(name, { signal: onWireToo.signal }));
    await untilHeld(service);
    onWireToo.abort();
    expect(await mutation).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1 });
    expect(statusesOf(service, '/graphql')).not.toContain(429);
  });
});

async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
