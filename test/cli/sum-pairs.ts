// Checks `--sum-by` with every key and every pair of keys: the parts equal the whole to the metre.
import { expect } from 'vitest';
import { sumKeys } from '../../src/cli/views/trip-sum.js';
import { service, shellOf } from './harness.js';

type Row = Readonly<Record<string, unknown>>;

const measures = ['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds', 'fuelUsed'];
const sumsOf = (rows: readonly Row[]) =>
  measures.map((field) => rows.reduce((sum, row) => sum + Math.round(Number(row[field] ?? 0) * 1000), 0));

const pairs = sumKeys.flatMap((one, index) => [[one], ...sumKeys.slice(index + 1).map((other) => [one, other])]);

/** Returns the same answer to the same request for snapshots: making it takes most of the time. */
function remembering(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const answers = new Map<string, Promise<Response>>();
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    if (!body.includes('getSnapshots')) return fetch(input, init);
    const answer = answers.get(body) ?? fetch(input, init);
    answers.set(body, answer);
    return (await answer).clone();
  };
}

/**
 * Checks the sums of two vehicles, of which a truck drives over midnight, and is handed over in the
 * middle of a trip.
 */
export async function expectPairsToAddUp(from: string, to: string, zone: string, days: number): Promise<void> {
  const now = `${to}T23:00:00Z`;
  const mock = service({ vehicles: 2, clock: { now: () => Date.parse(now) } });
  const fleet = shellOf('demo', remembering(mock.fetch));
  const json = async (words: readonly string[]): Promise<readonly Row[]> => {
    const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
  const [driver] = await json(['people', 'list', '--drivers', '--fields', 'id', '--limit', '1']);
  // The service takes assignments of the last days only.
  const day = new Date(Date.parse(to) - 86_400_000).toISOString().slice(0, 10);
  const handover = ['--from', `${day}T02:05Z`, '--to', `${day}T11:00Z`];
  expect((await fleet(['drivers', 'assign', 'Truck 01', String(driver?.id), ...handover, '--yes'])).code).toBe(0);
  const period = ['trips', 'list', '--from', from, '--to', to, '--time-zone', zone];
  const whole = sumsOf(await json([...period, '--clip']));
  expect(whole[0]).toBeGreaterThan(100_000);
  for (const keys of pairs) {
    const rows = await json([...period, '--sum-by', keys.join(',')]);
    // A vehicle in several groups counts in each of them.
    const once = keys.includes('group') ? await oneGroupEach(rows, json) : rows;
    expect([keys, sumsOf(once)]).toEqual([keys, whole]);
    if (keys.includes('day')) expect(new Set(rows.map(({ day }) => day)).size).toBe(days);
    const names = rows.map((row) => keys.map((key) => String(row[key === 'group' ? 'groupId' : key])).join());
    expect(new Set(names).size).toBe(rows.length);
  }
}

/** Returns the rows of groups that have each vehicle once. */
async function oneGroupEach(
  rows: readonly Row[],
  json: (words: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const vehicles = await json(['vehicles', 'list', '--fields', 'id,assignedGroups.id']);
  const chosen = new Set(vehicles.map(({ assignedGroups }) => Object(Object(assignedGroups)[0]).id ?? null));
  return rows.filter(({ groupId }) => chosen.has(groupId));
}
