// --watch in a pipe and on a terminal, while vehicles move, the service fails, and until Ctrl-C.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { fixedService, rows } from './fixed-rows.js';
import { service } from './harness.js';
import { handClock, resize, seen, watching } from './watching.js';

const golden = (name: string) => `golden/${name}.txt`;
const esc = '\u001b';
const status = ['vehicles', 'status', '--watch'];

interface Line {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

function lines(text: string | undefined): readonly Line[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Returns the reference service on the clock of the test. */
function moving(vehicles = 8) {
  const clock = handClock();
  return { clock, fleet: service({ vehicles, clock }) };
}

/** Returns a service with the vehicles of fixed-rows.ts, which the test may change. */
function changing() {
  const clock = handClock();
  const others = fixedService(clock);
  const state = { vehicles: [...rows] as object[], http: 200, errors: null as object[] | null };
  const fetch: Fetch = (url, init) => {
    if (!/getVehicles\b/.test(init.body ?? '')) return others(url, init);
    if (state.http !== 200) return Promise.resolve(new Response('', { status: state.http }));
    const data = { getVehicles: state.vehicles, getPeople: [] };
    const errors = state.errors === null ? {} : { errors: state.errors };
    // Merged queries have aliases for their root fields.
    return Promise.resolve(Response.json({ data: renamed(data, init.body ?? ''), ...errors }));
  };
  return { clock, fetch, state };
}

function renamed(data: Readonly<Record<string, unknown>>, body: string): Record<string, unknown> {
  const { query }: { query: string } = JSON.parse(body);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      new RegExp(`(\\w+)\\s*:\\s*${name}\\b`).exec(query)?.[1] ?? name,
      value,
    ]),
  );
}

function speeding(row: (typeof rows)[number] | undefined, speed: number): object {
  return { ...row, lastData: { ...row?.lastData, gps: { ...row?.lastData?.gps, speed } } };
}

describe('in a pipe', () => {
  test('prints every row first, and then only changed rows', async () => {
    const { clock, fleet } = moving();
    const nothing = () => undefined;
    const steps = [nothing, () => void clock.advance(600_000)];
    const { code, parts, pauses, stderr, atOnce } = await watching(status, fleet.fetch, clock, { steps });
    expect({ code, pauses, stderr, atOnce }).toEqual({
      code: 130,
      pauses: [30_000, 30_000, 30_000],
      stderr: '',
      atOnce: 1,
    });
    const [first, second, third] = parts.map(lines);
    expect(first).toHaveLength(8);
    expect(second?.length).toBeLessThan(8);
    expect(third?.length).toBeGreaterThan(0);
    // Each poll is one request, another reads the assignments, and none is refused.
    const sentRequests = fleet.requests.filter(({ path }) => path === '/graphql');
    expect(sentRequests.map(({ operations }) => [...new Set(operations)].sort().join())).toEqual([
      'getGeofences,getPeople,getVehicles',
      'getDriverAssignments',
      'getPeople,getVehicles',
      'getGeofences,getPeople,getVehicles',
      // Ten minutes later they are read again.
      'getDriverAssignments',
    ]);
    expect(new Set(sentRequests.map(({ status: http }) => http))).toEqual(new Set([200]));
  });

  test('compares only the requested fields', async () => {
    const { clock, fetch, state } = changing();
    const steps = [
      () => (state.vehicles = [speeding(rows[0], 61), ...rows.slice(1)]),
      () => (state.vehicles = [speeding(rows[0], 0), ...rows.slice(1)]),
    ];
    const words = [...status, '--fields', 'name,status', '-o', 'csv'];
    const { stdout } = await watching(words, fetch, clock, { steps });
    await expect(stdout).toMatchFileSnapshot(golden('vehicles-status-watch.csv'));
  });

  test('prints a row once more when it stops matching --filter', async () => {
    const { clock, fetch, state } = changing();
    const steps = [
      () => (state.vehicles = [speeding(rows[0], 0), ...rows.slice(1)]),
      () => undefined,
      () => (state.vehicles = [...rows]),
    ];
    const words = [...status, '--filter', 'status=moving', '--fields', 'name,status'];
    const { parts } = await watching(words, fetch, clock, { steps });
    expect(parts.map(lines)).toEqual([
      [{ name: 'Truck 7', status: 'moving' }],
      [{ name: 'Truck 7', status: 'idling' }],
      [],
      [{ name: 'Truck 7', status: 'moving' }],
    ]);
  });

  test('names a vehicle that has disappeared', async () => {
    const { clock, fetch, state } = changing();
    const steps = [() => (state.vehicles = rows.slice(1)), () => (state.vehicles = [...rows])];
    const { parts, stderr } = await watching(status, fetch, clock, { steps });
    expect(parts.map((part) => lines(part).map(({ name }) => name))).toEqual([
      rows.map(({ name }) => name),
      [],
      ['Truck 7'],
    ]);
    expect(stderr).toBe('! Truck 7 is no longer visible to this user\n');
  });

  test('reports an outage, waits longer each time, and reports the end', async () => {
    const { clock, fetch, state } = changing();
    const fails = () => {
      state.http = 500;
    };
    const works = () => {
      state.http = 200;
    };
    const on = () => undefined;
    const { stdout, stderr, pauses, code } = await watching([...status, '--every', '10s'], fetch, clock, {
      steps: [fails, on, on, on, on, on, on, on, works, on],
    });
    expect(code).toBe(130);
    expect(lines(stdout)).toHaveLength(rows.length);
    expect(pauses).toEqual([10, 1, 2, 4, 8, 16, 32, 60, 60, 10, 10].map((seconds) => seconds * 1_000));
    await expect(stderr).toMatchFileSnapshot(golden('vehicles-status-watch.outage'));
  });

  test.each([502, 503])('asks once in each round of an outage with HTTP %i', async (http) => {
    const { clock, fetch, state } = changing();
    let sentRequests = 0;
    const counting: Fetch = (url, init) => {
      if (/getVehicles\b/.test(init.body ?? '')) sentRequests++;
      return fetch(url, init);
    };
    const counts: number[] = [];
    const round = () => {
      state.http = http;
      counts.push(sentRequests);
      sentRequests = 0;
    };
    const { stderr } = await watching([...status, '--every', '10s'], counting, clock, { steps: [round, round, round] });
    expect(counts.slice(1)).toEqual([1, 1]);
    expect(stderr).toContain(`trying again in 1 s: The service answered getVehicles with HTTP ${http}.`);
  });

  test('waits for an unreachable service, but not for one with invalid answers', async () => {
    const { clock, fetch, state } = changing();
    state.http = 500;
    const early = await watching(status, fetch, clock, {
      steps: [
        () => {
          state.http = 200;
        },
      ],
    });
    expect(early.pauses).toEqual([1_000, 30_000]);
    expect(lines(early.stdout)).toHaveLength(rows.length);

    state.http = 404;
    const wrong = await watching(status, fetch, clock);
    expect(wrong).toMatchObject({ code: 6, stdout: '', pauses: [] });
  });

  test('ends when the login is refused', async () => {
    const { clock, fetch } = changing();
    const wrong = await watching(status, fetch, clock, { env: { FLEET_PASSWORD: 'wrong' } });
    expect(wrong).toMatchObject({ code: 4, stdout: '', pauses: [] });
    expect(wrong.stderr).toContain('the user name or the password is wrong');
  });

  test('ends when the session expires', async () => {
    const { clock, fleet } = moving();
    let isOver = false;
    const fetch: Fetch = (url, init) => {
      if (isOver && !url.endsWith('/graphql')) return Promise.resolve(new Response('', { status: 401 }));
      if (isOver) return Promise.resolve(new Response('', { status: 401 }));
      return fleet.fetch(url, init);
    };
    const { code, pauses } = await watching(status, fetch, clock, {
      steps: [
        () => {
          isOver = true;
        },
      ],
    });
    expect({ code, pauses }).toEqual({ code: 4, pauses: [30_000] });
  });

  test('reports once what an answer is missing', async () => {
    const { clock, fetch, state } = changing();
    const errors = [{ message: 'No position for Van 9.', path: ['getVehicles', 3, 'lastData'] }];
    const steps = [
      () => {
        state.errors = errors;
      },
      () => undefined,
      () => {
        state.errors = null;
      },
      () => {
        state.errors = errors;
      },
    ];
    const { stderr, code } = await watching(status, fetch, clock, { steps });
    expect(code).toBe(130);
    expect(stderr.match(/incomplete: No position for Van 9/g)).toHaveLength(2);
  });
});

test('a vehicle that an incomplete answer lacks is not gone, and an old answer moves nothing back', async () => {
  const { clock, fetch, state } = changing();
  const old = { ...rows[1], lastData: { ...rows[1]?.lastData, timestamp: '2026-02-01T00:00:00Z' } };
  const steps = [
    () => {
      state.errors = [{ message: 'Timeout', path: ['getVehicles', 0] }];
      state.vehicles = [old, ...rows.slice(2)];
    },
    () => {
      state.errors = null;
      state.vehicles = [...rows];
    },
  ];
  const { parts, stderr } = await watching(status, fetch, clock, { steps });
  expect(parts.map((part) => lines(part).length)).toEqual([rows.length, 0, 0]);
  expect(stderr).toContain('incomplete: Timeout');
  expect(stderr).not.toContain('no longer visible');
});

describe('on a terminal', () => {
  test('redraws in place, and restores the terminal', async () => {
    const { clock, fetch, state } = changing();
    const window = { columns: 80, rows: 24 };
    const steps = [() => (state.vehicles = [speeding(rows[0], 0), ...rows.slice(1)])];
    const { code, stdout, parts } = await watching(status, fetch, clock, { window, steps });
    expect(code).toBe(130);
    expect(stdout.startsWith(`${esc}[?1049h${esc}[?7l${esc}[?25l`)).toBe(true);
    // The last table stays.
    const [, left = ''] = stdout.split(`${esc}[?25h${esc}[?7h${esc}[?1049l`);
    expect(left.replaceAll('\r\n', '\n')).toBe(`${seen(parts[1] ?? '')}\n`);
    for (const code of ['?1049l', '?25h']) expect(stdout.split(`${esc}[${code}`)).toHaveLength(2);
    // The second frame starts at the same place and clears the rest of the screen.
    expect(parts[1]).toMatch(new RegExp(`^\\${esc}\\[H\\${esc}\\[2K.*\\${esc}\\[J$`, 's'));
    await expect(parts.map(seen).join('\n----\n')).toMatchFileSnapshot(golden('vehicles-status-watch.terminal-80'));
  });

  test('without a known size is treated as 80 by 24', async () => {
    const pictures = [];
    for (const window of [
      { columns: 80, rows: 24 },
      { columns: 0, rows: 0 },
    ]) {
      const { clock, fetch } = changing();
      const { parts } = await watching(status, fetch, clock, { window });
      pictures.push(parts.map(seen));
    }
    expect(pictures[0]?.join('')).toContain('STATUS');
    expect(pictures[1]).toEqual(pictures[0]);
  });

  test('shows as many rows as fit, counts the others, and follows the window size', async () => {
    const { clock, fleet } = moving(25);
    const window = { columns: 80, rows: 10 };
    const steps = [() => resize(window, { columns: 160, rows: 14 }), () => undefined];
    const { parts } = await watching(status, fleet.fetch, clock, { window, steps });
    const heights = parts.map((part) => seen(part).split('\n').length);
    expect(heights[0]).toBeLessThanOrEqual(10 + 1);
    expect(seen(parts[0] ?? '')).toContain('more rows; use a taller window or --filter to see them.');
    await expect(seen(parts[2] ?? '')).toMatchFileSnapshot(golden('vehicles-status-watch.terminal-160'));
    expect(heights[2]).toBe(14);
  });

  test('keeps the latest rows during an outage, with their age', async () => {
    const { clock, fetch, state } = changing();
    const window = { columns: 80, rows: 24 };
    const steps = [
      () => {
        state.http = 500;
        clock.advance(5_400_000);
      },
      () => {
        state.http = 200;
      },
    ];
    const { parts } = await watching(status, fetch, clock, { window, steps });
    await expect(parts.slice(1).map(seen).join('\n----\n')).toMatchFileSnapshot(
      golden('vehicles-status-watch.terminal-outage'),
    );
  });

  test('accepts --sort, --filter and --limit', async () => {
    const { clock, fetch } = changing();
    const words = [...status, '--sort', '-name', '--limit', '2', '--filter', 'status!=unknown'];
    const { parts } = await watching(words, fetch, clock, { window: { columns: 80, rows: 24 } });
    const picture = seen(parts[0] ?? '');
    expect(picture).toMatch(/日本語.*Truck 7/s);
    expect(picture).not.toContain('The long van');
    expect(picture).toContain('Only the first 2 of 3 rows are shown.');
  });

  test('prints changes there too with -o', async () => {
    const { clock, fetch } = changing();
    const { stdout } = await watching([...status, '-o', 'ndjson'], fetch, clock, { window: { columns: 80, rows: 24 } });
    expect(lines(stdout)).toHaveLength(rows.length);
    expect(stdout).not.toContain(esc);
  });

  test.each([
    ['that cannot move its cursor', [], { TERM: 'dumb' }],
    ['where --verbose talks', ['--verbose'], {}],
  ])('prints frames one below the other on a terminal %s', async (_, flags, env) => {
    const { clock, fetch } = changing();
    const window = { columns: 80, rows: 5 };
    const { stdout } = await watching([...status, ...flags], fetch, clock, { window, env, steps: [() => undefined] });
    expect(stdout).not.toContain(esc);
    expect(stdout.match(/^NAME /gm)).toHaveLength(2);
    expect(stdout).not.toContain('more rows');
  });

  test('is restored when the command fails, before the error is printed', async () => {
    const { clock, fleet } = moving();
    let isRefused = false;
    const fetch: Fetch = (url, init) =>
      isRefused ? Promise.resolve(new Response('', { status: 401 })) : fleet.fetch(url, init);
    const window = { columns: 80, rows: 24 };
    const { code, stdout, stderr } = await watching(status, fetch, clock, {
      window,
      steps: [
        () => {
          isRefused = true;
        },
      ],
    });
    expect(code).toBe(4);
    expect(stdout).toContain(`${esc}[?1049l`);
    expect(stderr).toContain('error: ');
  });
});

describe('refuses', () => {
  test.each([
    [['-o', 'json'], '--watch cannot print json in a pipe: its output has no end.'],
    [['-o', 'table'], '--watch cannot print table in a pipe: its output has no end.'],
    [['--sort', 'name'], '--sort needs a complete list, but --watch prints changes as they arrive.'],
    [['--limit', '3'], '--limit needs a complete list, but --watch prints changes as they arrive.'],
    [['--every', '999ms'], "Option '--every <duration>' argument '999ms' is invalid."],
    [['--every', 'often'], "Option '--every <duration>' argument 'often' is invalid."],
    [['--fields', 'nmae'], '--fields: there is no field "nmae".'],
  ])('%s before anything is sent', async (flags, message) => {
    const { clock, fleet } = moving();
    const { code, stdout, stderr } = await watching([...status, ...flags], fleet.fetch, clock);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(fleet.requests).toEqual([]);
  });

  test('a pause behind --watch, as of fleet sync', async () => {
    const clock = handClock();
    const fleet = service({ clock });
    const { pauses } = await watching(['vehicles', 'status', '--watch', '10s'], fleet.fetch, clock);
    expect(pauses).toEqual([10_000]);
    const named = await watching(['snapshots', 'latest', '--watch', 'Van 01'], fleet.fetch, clock);
    expect(named.stdout.trim().split('\n')).toHaveLength(1);
    expect(named.pauses).toEqual([30_000]);
  });

  test.each([
    [['--watch', '10s', '--every', '20s'], '--watch and --every set two different pauses.'],
    [['--watch', 'Van'], '--watch "Van" is not a pause.'],
  ])('%j is refused', async (flags, said) => {
    const { code, stderr } = await watching(['vehicles', 'status', ...flags], service().fetch, handClock());
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test('--every without --watch', async () => {
    const { clock, fleet } = moving();
    const { code, stderr } = await watching(['vehicles', 'status', '--every', '5s'], fleet.fetch, clock);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: --every needs --watch.\nhint: Add --watch, or leave out --every.\n',
    });
  });
});

describe('snapshots latest --watch', () => {
  test('looks a name up once, and then requests only snapshots', async () => {
    const { clock, fleet } = moving();
    const nothing = () => undefined;
    const { parts } = await watching(['snapshots', 'latest', 'Truck 01', '--watch'], fleet.fetch, clock, {
      steps: [() => void clock.advance(3_600_000), nothing],
    });
    expect(parts.map((part) => lines(part).length)).toEqual([1, 1, expect.any(Number)]);
    const sentRequests = fleet.requests
      .filter(({ path }) => path === '/graphql')
      .flatMap(({ operations }) => operations);
    expect(sentRequests).toEqual(['getVehicles', 'getLatestSnapshots', 'getLatestSnapshots', 'getLatestSnapshots']);
  });

  test('names vehicles without data on a terminal', async () => {
    const { clock, fleet } = moving();
    const window = { columns: 120, rows: 30 };
    const { parts } = await watching(['snapshots', 'latest', '--watch'], fleet.fetch, clock, { window });
    await expect(seen(parts[0] ?? '')).toMatchFileSnapshot(golden('snapshots-latest-watch.terminal-120'));
  });
});
