// Counts the rows that the next sync reads of parked vehicles.
import { expect, test } from 'vitest';
import { countRuns, makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, sqliteTarget, syncFleet } from '../src/index.js';
import { contentOf, query, tempFile } from './copies.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const since = new Date(START - DAY);
const parts = ['vehicles', 'latest', 'stops'] as const;

/** A vehicle that arrives at START and stands for three days, sending snapshots or none. */
async function parked({ isSilent }: { readonly isSilent: boolean }) {
  const clock = { time: START + 3 * DAY };
  const service = makeService({ vehicles: 1, clock: { now: () => clock.time } });
  const [vehicle] = await makeClient(service).getVehicles();
  const row = (minutes: number, metres: number, speed: number, ignition: boolean) => ({
    at: START + minutes * MINUTE,
    ignition,
    gps: { state: true, latitude: 52 + metres / 111_195, longitude: 13, speed },
  });
  const arrival = [row(-10, -5_000, 60, true), row(0, 0, 0, true), row(3, 0, 0, false)];
  const beats = (to: number) => Array.from({ length: to / 10 - 1 }, (_, at) => row((at + 1) * 10, at % 9, 0, false));
  const show = (minutes: number, others: readonly ReturnType<typeof row>[] = []) => {
    clock.time = START + minutes * MINUTE;
    const all = [...arrival, ...(isSilent ? [] : beats(minutes)), ...others];
    service.telemetry.script(
      String(vehicle?.id),
      all.sort((a, b) => a.at - b.at),
    );
  };
  return { service, show, row };
}

async function counted(service: Awaited<ReturnType<typeof parked>>['service'], file: string, options: SyncOptions) {
  service.clearRequests();
  let rows = 0;
  const fetch: typeof service.fetch = async (url, init) => {
    const answer = await service.fetch(url, init);
    if (!String(init?.body).includes('getSnapshots')) return answer;
    const text = await answer.text();
    rows += text.match(/"timestamp"/g)?.length ?? 0;
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };
  const { failures } = await syncFleet(makeClient(service, { fetch }), sqliteTarget(file), {
    since,
    parts,
    ...options,
  });
  expect(failures).toEqual([]);
  return { requests: countRuns(service, 'getSnapshots'), rows };
}

test.each([
  [{ lateEveryMs: DAY }, 20],
  [{ lateEveryMs: 0 }, 20],
])('one that sends snapshots is not read from its start again: %j', async (options, most) => {
  const { service, show, row } = await parked({ isSilent: false });
  const file = tempFile();
  show(3 * 1_440);
  await counted(service, file, options);
  for (let minutes = 3 * 1_440 + 10; minutes < 3 * 1_440 + 60; minutes += 10) {
    show(minutes);
    const { rows, requests } = await counted(service, file, options);
    // A read from the start of the stop would have 11 and 863 rows.
    expect(requests).toBe(1);
    expect(rows).toBeLessThanOrEqual(most);
  }
  const end = 3 * 1_440 + 60;
  show(end, [row(end - 1, 900, 50, true)]);
  await counted(service, file, options);
  const undisturbed = tempFile();
  await counted(service, undisturbed, options);
  const { stops } = await contentOf(sqliteTarget(file));
  expect(stops).toEqual((await contentOf(sqliteTarget(undisturbed))).stops);
  expect(await query(file, 'SELECT idle_s, is_open FROM stops')).toEqual([[180, 0]]);
});

test('one that is silent costs nothing', async () => {
  const { service, show } = await parked({ isSilent: true });
  const file = tempFile();
  show(3 * 1_440);
  await counted(service, file, { lateEveryMs: DAY });
  show(3 * 1_440 + 1);
  expect(await counted(service, file, { lateEveryMs: DAY })).toEqual({ requests: 0, rows: 0 });
});
