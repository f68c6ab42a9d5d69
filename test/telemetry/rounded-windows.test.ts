// When a service rounds periods to whole seconds, each row is delivered once, also at seams.
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { makeClient, makeService, START } from '../request/setup.js';

const MINUTE = 60_000;
const SECOND = 1_000;

const roundings: Readonly<Record<string, readonly [from: (ms: number) => number, to: (ms: number) => number]>> = {
  'in both directions': [(ms) => Math.floor(ms / SECOND) * SECOND, (ms) => Math.ceil(ms / SECOND) * SECOND],
  down: [(ms) => Math.floor(ms / SECOND) * SECOND, (ms) => Math.floor(ms / SECOND) * SECOND],
  up: [(ms) => Math.ceil(ms / SECOND) * SECOND, (ms) => Math.ceil(ms / SECOND) * SECOND],
};

test.each(Object.entries(roundings))('a service that rounds %s', async (_how, [begin, end]) => {
  const service = makeService({ vehicles: 1 });
  const [vehicle] = await makeClient(service).getVehicles();
  const vehicleId = vehicle?.id ?? '';
  // Four rows a second, so that some are close to every seam.
  const from = START - 65 * MINUTE + 400;
  const to = START - 400;
  const rows = Array.from({ length: ((to - from) * 4) / SECOND }, (_, index) => ({
    at: from + 150 + index * 250,
    ignition: true,
  }));
  service.telemetry.script(vehicleId, rows);
  let requests = 0;
  const fetch: Fetch = (url, init) => {
    const body = JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}');
    if (body.variables?.from === undefined) return service.fetch(url, init);
    requests++;
    const { variables } = body;
    variables.from = new Date(begin(Date.parse(variables.from))).toISOString();
    variables.to = new Date(end(Date.parse(variables.to))).toISOString();
    return service.fetch(url, { ...init, body: JSON.stringify(body) });
  };
  await using fleet = makeClient(service, { fetch });
  const times: number[] = [];
  const select = { timestamp: true } as const;
  const period = { vehicleId, from: new Date(from), to: new Date(to) };
  for await (const { timestamp } of fleet.streamSnapshots(period, { select }))
    times.push(Date.parse(String(timestamp)));
  expect(requests).toBeGreaterThan(1);
  // The service may send rows from outside of the period.
  const inside = times.filter((time) => from + SECOND <= time && time <= to - SECOND);
  expect(inside).toEqual(rows.map(({ at }) => at).filter((at) => from + SECOND <= at && at <= to - SECOND));
});
