// Tests wrong clocks of services and machines, and cursors in the future: the copy has the rows of
// an undisturbed one, and the sync reports the error.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { isFullRun } from '../../../test/runs.js';
import { type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { altered, rowsWith } from './altered.js';
import { contentOf } from './copies.js';
import { databases } from './databases.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const since = new Date(START - 3 * HOUR);
const parts = ['trips', 'snapshots'] as const;

/** Returns a gateway whose clock is ahead, or which sends no date. */
function gateway(service: MockService, aheadMs: number | null): Fetch {
  return async (url, init) => {
    const answer = await service.fetch(url, init);
    const headers = new Headers(answer.headers);
    if (aheadMs === null) headers.delete('date');
    else headers.set('date', new Date(service.clock.now() + aheadMs).toUTCString());
    return new Response(await answer.text(), { status: answer.status, headers });
  };
}

interface Wrong {
  /** Null without a date in answers. */
  readonly service?: number | null;
  readonly machine?: number;
}

function syncWith(
  service: MockService,
  target: SyncTarget,
  { service: ahead = 0, machine = 0 }: Wrong,
  options: SyncOptions = {},
) {
  const clock = { now: () => service.clock.now() + machine };
  return syncFleet(makeClient(service, { fetch: gateway(service, ahead), clock }), target, {
    since,
    parts,
    ...options,
  });
}

/** Returns the rows, without their cursors. */
async function rowsOf(target: SyncTarget) {
  const { trips, snapshots } = await contentOf(target);
  return { trips, snapshots };
}

// The rules do not depend on a database; the nightly run has both.
describe.each(isFullRun ? databases : databases.slice(0, 1))('%s', (_name, make) => {
  test.each([
    ['hours ahead', { service: 8 * HOUR }, {}],
    ['hours behind', { service: -8 * HOUR }, {}],
    [
      'hours ahead, on a machine that is hours behind',
      { service: 8 * HOUR, machine: -5 * HOUR },
      { machine: -5 * HOUR },
    ],
    ['hours ahead, on a machine that is hours ahead', { service: 8 * HOUR, machine: 5 * HOUR }, { machine: 5 * HOUR }],
    ['right, on a machine that is hours behind', { machine: -5 * HOUR }, { machine: -5 * HOUR }],
    ['right, on a machine that is hours ahead', { machine: 5 * HOUR }, { machine: 5 * HOUR }],
    ['right, and the machine is a year behind', { machine: -365 * DAY }, {}],
  ] as const)(
    'loses nothing when the time of the service is once %s',
    { timeout: 60_000 },
    async (_what, once, otherwise) => {
      let now = START;
      const service = makeService({ vehicles: 2, clock: { now: () => now } });
      const [disturbed, undisturbed] = [(await make()).target, (await make()).target];
      await syncWith(service, disturbed, otherwise);
      for (const [passed, wrong] of [
        [40 * MINUTE, once],
        [2 * HOUR, otherwise],
        [4 * HOUR, otherwise],
        [3 * HOUR, otherwise],
      ] as const) {
        now += passed;
        await syncWith(service, disturbed, wrong, { since: undefined });
      }
      await syncWith(service, undisturbed, {});
      expect(await rowsOf(disturbed)).toEqual(await rowsOf(undisturbed));
    },
  );

  test('loses nothing when no answer has a date, and the machine is once hours ahead', async () => {
    let now = START;
    const service = makeService({ vehicles: 2, clock: { now: () => now } });
    const [disturbed, undisturbed] = [(await make()).target, (await make()).target];
    await syncWith(service, disturbed, { service: null, machine: 8 * HOUR });
    now += 12 * HOUR;
    await syncWith(service, disturbed, { service: null }, { since: undefined });
    await syncWith(service, undisturbed, {});
    expect(await rowsOf(disturbed)).toEqual(await rowsOf(undisturbed));
  });

  test('loses nothing when the clock of a device is ahead too', async () => {
    let now = START;
    const service = makeService({ vehicles: 2, clock: { now: () => now } });
    const [disturbed, undisturbed] = [(await make()).target, (await make()).target];
    const future = new Date(START + 1000 * DAY).toISOString();
    const ahead = rowsWith('getLatestSnapshots', ([first, ...others]) => [{ ...first, timestamp: future }, ...others]);
    const [futureFetch, undated] = [altered(service, ahead), gateway(service, null)];
    const fetch: Fetch = (url, init) => (url.endsWith('/graphql') ? futureFetch : undated)(url, init);
    for (const machine of [8 * HOUR, 0]) {
      const client = makeClient(service, { merge: false, fetch, clock: { now: () => now + machine } });
      await syncFleet(client, disturbed, machine === 0 ? { parts } : { since, parts });
      now += 12 * HOUR;
    }
    now -= 12 * HOUR;
    await syncWith(service, undisturbed, {});
    expect(await rowsOf(disturbed)).toEqual(await rowsOf(undisturbed));
  });

  test('tells of cursors in the future, and reads again what they hide', async () => {
    let now = START;
    const service = makeService({ vehicles: 4, clock: { now: () => now } });
    const [{ target, run }, undisturbed] = [await make(), (await make()).target];
    await syncWith(service, target, {});
    await run("UPDATE sync_cursors SET read_until = '2026-03-05T12:00:00.000Z'");
    now += 5 * HOUR;
    const { warnings } = await syncWith(service, target, {});
    await syncWith(service, undisturbed, {});
    expect(await contentOf(target)).toEqual(await contentOf(undisturbed));
    expect(warnings).toEqual(
      ['trips', 'snapshots'].map((kind) => ({
        code: 'CURSOR_AHEAD',
        message: expect.stringContaining(`the ${kind} of 4 vehicles until 2026-03-05T12:00:00.000Z`),
      })),
    );
    expect((await syncWith(service, target, {})).warnings).toEqual([]);
  });

  test('a copy that begins in the future is begun anew', async () => {
    const service = makeService({ vehicles: 2 });
    const [{ target, run }, undisturbed] = [await make(), (await make()).target];
    await syncWith(service, target, {}, { since: new Date(START - HOUR) });
    await run(
      "UPDATE sync_cursors SET begins_at = '2026-03-04T12:00:00.000Z', read_until = '2026-03-05T12:00:00.000Z'",
    );
    await syncWith(service, target, {});
    await syncWith(service, undisturbed, {});
    expect(await contentOf(target)).toEqual(await contentOf(undisturbed));
  });

  test('an end in the future is told, and counts as now', async () => {
    let now = START;
    const service = makeService({ vehicles: 4, clock: { now: () => now } });
    const [disturbed, undisturbed] = [(await make()).target, (await make()).target];
    const report = await syncWith(service, disturbed, {}, { until: new Date(START + DAY) });
    expect(report.warnings.map(({ code }) => code)).toEqual(['UNTIL_AHEAD']);
    expect(report.until).toBe(new Date(START).toISOString());
    now += 12 * HOUR;
    await syncWith(service, disturbed, {});
    await syncWith(service, undisturbed, {});
    expect(await contentOf(disturbed)).toEqual(await contentOf(undisturbed));
  });
});

const [, make] = databases[0] ?? [];
describe.runIf(make)('what is read again', () => {
  /** Returns the requested hours of snapshots. */
  async function hoursRead(service: MockService, target: SyncTarget, wrong: Wrong): Promise<number> {
    let ms = 0;
    const clock = { now: () => service.clock.now() + (wrong.machine ?? 0) };
    const fetch: Fetch = (url, init) => {
      const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}'));
      for (const [name, from] of Object.entries(Object(variables))) {
        if (!name.startsWith('from')) continue;
        const to: unknown = Reflect.get(Object(variables), name.replace('from', 'to'));
        ms += Date.parse(String(to)) - Date.parse(String(from));
      }
      return service.fetch(url, init);
    };
    await syncFleet(makeClient(service, { fetch, clock }), target, { since, parts: ['snapshots'] });
    return ms / HOUR;
  }

  test.each([
    ['tidy clocks', {}, 3],
    ['a machine that is hours ahead', { machine: 13 * HOUR }, 3],
    ['a machine that is hours behind', { machine: -13 * HOUR }, 16],
  ] as const)('stays little with %s, however long a vehicle is silent', async (_what, wrong, most) => {
    let now = START;
    const service = makeService({ vehicles: 2, clock: { now: () => now } });
    const [silent] = await makeClient(service).getVehicles();
    service.telemetry.script(String(silent?.id), [{ at: new Date(START - HOUR).toISOString(), ignition: false }]);
    const { target } = (await make?.()) ?? { target: null };
    if (target === null) return;
    await hoursRead(service, target, wrong);
    now += 5 * DAY;
    await hoursRead(service, target, wrong);
    now += HOUR;
    // Two vehicles, with late and new rows; begins are rounded down.
    expect(await hoursRead(service, target, wrong)).toBeLessThan(2 * (most + 0.5));
  });
});
