// Services that refuse long periods: a stream finds an accepted length, and remembers it.
import { expect, test } from 'vitest';
import { type Fetch, HttpError } from '../../src/index.js';
import { namedVariants } from '../../src/mock/variants/names.js';
import { AcceptedLength } from '../../src/telemetry/streams/window-limit.js';
import { makeClient, makeService, rejection, START, statusesOf } from '../request/setup.js';

const DAY = 86_400_000;

async function read(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test.each([
  ['longest-period', 7],
  ['longest-period-400', 1],
] as const)('%s: the whole period, few refusals, and none the next time', async (name, days) => {
  const service = makeService({ variant: namedVariants[name].variant });
  const windows: { from: number; to: number }[] = [];
  let refusals = 0;
  // A vehicle with one row per window lets windows grow to the maximum. The service refuses.
  const fetch: Fetch = async (url, init) => {
    if (!url.endsWith('/graphql') || !init.body?.includes('getSnapshots')) return service.fetch(url, init);
    const { variables } = JSON.parse(init.body);
    const window = { from: Date.parse(variables.from), to: Date.parse(variables.to) };
    if (window.to - window.from > days * DAY) {
      refusals++;
      return service.fetch(url, init);
    }
    windows.push(window);
    return Response.json({ data: { getSnapshots: [{ timestamp: new Date(window.to).toISOString() }] } });
  };
  const fleet = makeClient(service, { fetch });
  const [vehicle] = await fleet.getVehicles();
  const period = { vehicleId: vehicle?.id ?? '', from: new Date(START - 60 * DAY), to: new Date(START) };

  const rows = await read(fleet.streamSnapshots(period, { select: { timestamp: true } }));
  expect(rows).toHaveLength(windows.length);
  expect(windows[0]?.from).toBe(START - 60 * DAY);
  expect(windows.at(-1)?.to).toBe(START);
  for (const [at, { to }] of windows.entries()) expect(windows[at + 1]?.from ?? to).toBeLessThanOrEqual(to);
  expect(refusals).toBeGreaterThan(0);
  expect(refusals).toBeLessThanOrEqual(4);
  expect(windows.length).toBeLessThan(120 / days + 20);

  refusals = 0;
  await read(fleet.streamSnapshots(period, { select: { timestamp: true } }));
  expect(refusals).toBe(0);
});

test('what fails for another reason is not asked for again and again', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  const [vehicle] = await fleet.getVehicles();
  const period = { vehicleId: vehicle?.id ?? '', from: new Date(START - 10 * DAY), to: new Date(START) };
  service.faults.add({ kind: 'status', status: 400, operation: 'getSnapshots', times: 999 });
  service.clearRequests();
  expect(await rejection(read(fleet.streamSnapshots(period)))).toMatchObject({ code: 'GRAPHQL' });
  expect(statusesOf(service, '/graphql')).toEqual([400]);
});

test('a period of six hours was not refused for its length', () => {
  const length = new AcceptedLength({ ms: Number.POSITIVE_INFINITY });
  const refusal = new HttpError('refused', 400);
  const hours = (count: number) => ({ from: START, to: START + count * 3_600_000 });
  expect(length.afterRefusal(hours(6), refusal)).toBeNull();
  expect(length.afterRefusal(hours(8), refusal)).toBe(4 * 3_600_000);
});
