// The client's trips: how far it looks back for a start, and its errors for a caller without types.
import { describe, expect, test } from 'vitest';
import { type Fetch, FleetClient, InvalidInputError, type Trip, type VehiclePeriod } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { clock } from '../../moment.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const vehicleId = '11111111-0000-5000-8000-000000000001';
const from = new Date('2026-03-02T12:00:00Z');
const to = new Date(from.getTime() + 2 * HOUR);

/** Returns a client of a service with one snapshot a minute. */
function clientOf(first: number, last: number, engineAt: (time: number) => boolean | null) {
  return new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: fetchOf(first, last, engineAt),
  });
}

function fetchOf(first: number, last: number, engineAt: (time: number) => boolean | null): Fetch {
  const { fetch } = createMockService({ vehicles: 1, clock });
  const rows: Fetch = (url, init) => {
    if (!url.endsWith('/graphql')) return fetch(url, init);
    const { variables } = JSON.parse(String(init.body));
    const getSnapshots: object[] = [];
    for (let time = first; time <= last; time += MINUTE) {
      if (time < Date.parse(variables.from) || time > Date.parse(variables.to)) continue;
      const engineStatus = engineAt(time);
      const ignition = engineStatus === null ? null : { engineStatus };
      getSnapshots.push({ vehicleId, timestamp: new Date(time).toISOString(), ignition });
    }
    return Promise.resolve(Response.json({ data: { getSnapshots } }));
  };
  return rows;
}

test('a trip has ended by the service’s clock, whatever this machine’s is', async () => {
  const fetch = fetchOf(from.getTime() - HOUR, to.getTime() - 10 * MINUTE, (time) => time < to.getTime() - 10 * MINUTE);
  const dated: Fetch = async (url, init) => {
    const answer = await fetch(url, init);
    return new Response(await answer.text(), { status: answer.status, headers: { date: to.toUTCString() } });
  };
  const clock = { now: () => from.getTime() - 3 * 24 * HOUR };
  const fleet = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: dated,
    clock,
  });
  const trips: Trip[] = [];
  for await (const trip of fleet.streamTrips({ vehicleId, from, to })) trips.push(trip);
  expect(trips.map(({ isOpen }) => isOpen)).toEqual([false]);
});

test('returns the whole of a trip under way when the vehicle sends its ignition only on changes', async () => {
  const start = from.getTime() - 8 * HOUR;
  const end = from.getTime() + HOUR;
  const changes = new Map([
    [start - HOUR, false],
    [start, true],
    [end, false],
  ]);
  await using fleet = clientOf(start - HOUR, to.getTime(), (time) => changes.get(time) ?? null);
  const trips: Trip[] = [];
  for await (const trip of fleet.streamTrips({ vehicleId, from, to })) trips.push(trip);
  expect(trips).toMatchObject([
    { startedAt: new Date(start).toISOString(), endedAt: new Date(end).toISOString(), isStartKnown: true },
  ]);
});

describe('rejects from a caller without types', () => {
  const period = { vehicleId, from, to };

  test.each([
    ['no variables', undefined, undefined, 'streamTrips needs vehicleId'],
    ['another variable', { ...period, limit: 5 }, undefined, 'streamTrips has no variable limit'],
    ['another option', period, { closeAfter: 1 }, /takes signal, timeoutMs, .*closeAfterMs, silenceMs/],
    ['a selection', period, { select: { timestamp: true } }, 'streamTrips has no option select'],
    [
      'a track that is neither wanted nor not',
      period,
      { withTrack: 'yes' },
      'withTrack must be true or false. Nothing was sent.',
    ],
    ['a value that is none', period, { silenceMs: -1 }, 'silenceMs must be a number, 0 or more. Nothing was sent.'],
  ])('%s', async (_, variables, options, message) => {
    await using fleet = clientOf(0, 0, () => null);
    const stream = () => fleet.streamTrips(variables as VehiclePeriod, options as object | undefined);
    expect(stream).toThrow(InvalidInputError);
    expect(stream).toThrow(message);
  });

  test('but null is the same as leaving it out', async () => {
    await using fleet = clientOf(0, 0, () => null);
    const nothing = { silenceMs: null, signal: null } as object;
    expect((await fleet.streamTrips(period, nothing).next()).done).toBe(true);
  });
});
