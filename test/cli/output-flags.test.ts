// --quiet, --no-headers, --no-color and the pager.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Pager } from '../../src/cli/io/pager.js';
import { pagerCommand, startPager } from '../../src/cli/io/pager.js';
import { type Place, service, shellOf } from './harness.js';

const list = ['vehicles', 'list', '--fields', 'name,licensePlate'];
const run = (words: readonly string[], place: Place = {}) => shellOf('demo', service().fetch)(words, place);
const esc = '\u001b';

describe('--no-headers', () => {
  test.each([
    ['table', { terminal: 80, env: { NO_COLOR: '1' } }],
    ['tsv', {}],
    ['csv', { env: { FLEET_OUTPUT: 'csv' } }],
  ])('leaves out the header of %s', async (_format, place) => {
    const [head, ...rows] = (await run(list, place)).stdout.split('\n');
    expect(head).toMatch(/^name\b/);
    const bare = (await run([...list, '--no-headers'], place)).stdout.split('\n');
    expect(bare).toEqual(rows);
    expect((await run([...list, '--no-headers', '--filter', 'name=none'], place)).stdout).toBe('');
  });

  test('a table without headings gives each time its offset', async () => {
    const words = [
      'vehicles',
      'list',
      '--fields',
      'lastData.timestamp',
      '--no-headers',
      '--time-zone',
      'Europe/Tallinn',
    ];
    expect((await run(words, { terminal: 80 })).stdout).toMatch(/^2026-03-0\d \d\d:\d\d:\d\d\+02:00\n/);
  });

  test('changes nothing of a record and of JSON', async () => {
    const get = ['vehicles', 'get', 'Van 01'];
    for (const place of [{ terminal: 80 }, { env: { FLEET_OUTPUT: 'json' } }]) {
      expect(await run([...get, '--no-headers'], place)).toEqual(await run(get, place));
    }
  });
});

describe('--quiet', () => {
  test('prints the rows, and no remark, progress or warning', async () => {
    const words = ['vehicles', 'status', '--limit', '2'];
    const loud = await run(words, { terminal: 80 });
    expect(loud.stderr).not.toBe('');
    expect(await run([...words, '--quiet'], { terminal: 80 })).toEqual({ ...loud, stderr: '' });
    const warned = ['vehicles', 'get', 'van', '--fields', 'name'];
    const part = await shellOf('demo', service({ vehicles: 1 }).fetch)(warned, { terminal: 80 });
    expect(part.stderr).toContain('warning:');
    const quiet = await shellOf('demo', service({ vehicles: 1 }).fetch)([...warned, '--quiet'], { terminal: 80 });
    expect(quiet).toEqual({ ...part, stderr: '' });
  });

  test('prints no summary of changes', async () => {
    const input = '{"name":"One"}\n{"name":"Two"}\n';
    const words = ['groups', 'apply', '-', '--yes'];
    expect((await run(words, { input })).stderr).toContain('2');
    const { code, stderr, stdout } = await run([...words, '--quiet'], { input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/\tdone\t/g)).toHaveLength(2);
  });

  test('prints errors and questions', async () => {
    const failed = await run(['vehicles', 'get', 'nobody', '--quiet']);
    expect(failed.code).toBe(5);
    expect(failed.stderr).toContain('There is no vehicle "nobody"');
    const fleet = shellOf('demo', service().fetch);
    await fleet(['groups', 'create', '--name', 'Old']);
    const confirmed = await fleet(['groups', 'delete', 'Old', '--quiet'], { answers: [['?', 'y']] });
    expect(confirmed.code, confirmed.stderr).toBe(0);
    expect(confirmed.stderr).toContain('Old');
    expect(confirmed.stderr).not.toContain('has been deleted');
  });
});

describe('colours', () => {
  const isColoured = async (words: readonly string[], place: Place) =>
    (await run([...list, ...words], place)).stdout.includes(`${esc}[1m`);

  test.each([
    [true, [], { terminal: 80 }],
    [false, [], {}],
    [false, [], { terminal: 80, env: { TERM: 'dumb' } }],
    [false, [], { terminal: 80, env: { NO_COLOR: '1' } }],
    [true, [], { terminal: 80, env: { NO_COLOR: '' } }],
    [true, ['-o', 'table'], { env: { FORCE_COLOR: '1' } }],
    [true, ['-o', 'table'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }],
    [false, [], { terminal: 80, env: { FORCE_COLOR: '0' } }],
    [false, ['--no-color'], { terminal: 80 }],
    [false, ['--no-color', '-o', 'table'], { env: { FORCE_COLOR: '1' } }],
  ] as const)('%s with %j %j', async (expected, words, place) => {
    expect(await isColoured(words, place)).toBe(expected);
  });

  test('an error of words that cannot be parsed has none with --no-color', async () => {
    expect((await run(['nope'], { terminal: 80 })).stderr).toContain(esc);
    expect((await run(['nope', '--no-color'], { terminal: 80 })).stderr).not.toContain(esc);
  });
});

describe('the pager', () => {
  /** Pagers whose user quits after `lines` lines. */
  const pagers = (lines = Number.POSITIVE_INFINITY) => {
    const seen: { command: string; text: string }[] = [];
    const startPager = (command: string): Pager => {
      const page = { command, text: '' };
      seen.push(page);
      const input = new Writable({
        write(chunk, _encoding, done) {
          page.text += chunk;
          const isLeft = page.text.split('\n').length > lines;
          done(isLeft ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null);
        },
      });
      const closed = new Promise<void>((resolve) => {
        input.once('finish', resolve);
        input.once('error', () => resolve());
      });
      return { input, closed };
    };
    return { seen, startPager };
  };
  const terminal = { terminal: 80, rows: 5, env: { NO_COLOR: '1', FLEET_PAGER: 'my-pager --now' } };

  test('gets a list that is longer than the screen', async () => {
    const { seen, startPager } = pagers();
    const plain = await run(list, terminal);
    expect(await run(list, { ...terminal, startPager })).toMatchObject({ code: 0, stdout: '' });
    expect(seen).toEqual([{ command: 'my-pager --now', text: plain.stdout }]);
  });

  test('gets a long record, and the remarks follow behind it', async () => {
    const { seen, startPager } = pagers();
    const { code, stdout } = await run(['vehicles', 'get', 'Van 01'], { ...terminal, startPager });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(seen[0]?.text).toContain('Van 01');
    const limited = await run([...list, '--limit', '5'], { ...terminal, startPager });
    expect(limited.stderr).toContain('Only the first 5 of 6 rows are shown.');
  });

  test('counts lines that the terminal breaks', async () => {
    const { seen, startPager } = pagers();
    const words = ['vehicles', 'list', '--limit', '2', '-o', 'ndjson'];
    await run(words, { ...terminal, rows: 6, startPager });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['what fits the screen', { rows: 20 }, []],
    ['a pipe', { terminal: null }, []],
    ['--no-pager', {}, ['--no-pager']],
    ['a dumb terminal', { env: { ...terminal.env, TERM: 'dumb' } }, []],
    ['an empty FLEET_PAGER', { env: { ...terminal.env, FLEET_PAGER: '', PAGER: 'other' } }, []],
    ['cat', { env: { ...terminal.env, FLEET_PAGER: 'cat' } }, []],
    ['a watch', { env: { ...terminal.env } }, ['--watch']],
  ] as const)('does not get %s', async (_what, place, words) => {
    const { seen, startPager } = pagers();
    const watch = words.some((word) => word === '--watch');
    const signal = watch ? AbortSignal.timeout(50) : new AbortController().signal;
    await run(watch ? ['vehicles', 'status', ...words] : [...list, ...words], {
      ...terminal,
      ...place,
      startPager,
      signal,
    });
    expect(seen).toEqual([]);
  });

  test('that is left early ends the command without an error', async () => {
    const { startPager } = pagers(1);
    const words = ['snapshots', 'list', 'Van 01', '--from', '-7d', '-o', 'ndjson'];
    expect(await run(words, { ...terminal, startPager })).toMatchObject({ code: 0, stdout: '' });
  });

  test('that is left between two texts ends the command without an error', async () => {
    let leave = () => {};
    const startPager = (): Pager => {
      const closed = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // EPIPE arrives later, when nothing waits for the stream.
      const input = new Writable({
        write(_chunk, _encoding, done) {
          setImmediate(() => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })));
          leave();
        },
      });
      return { input, closed };
    };
    const words = ['snapshots', 'list', 'Van 01', '--from', '-1d', '-o', 'tsv', '--fields', 'timestamp'];
    expect(await run(words, { ...terminal, startPager })).toMatchObject({ code: 0, stdout: '' });
  });

  test('keeps the exit code of a failure after the first rows', async () => {
    const { startPager } = pagers();
    const world = service();
    // The answer ends in the middle of the rows, at every attempt.
    world.faults.add({ kind: 'truncate', operation: 'getSnapshots', times: 1_000 });
    const words = ['snapshots', 'list', 'Van 01', '--from', '-2h', '-o', 'ndjson', '--timeout', '300ms'];
    const { code } = await shellOf('demo', world.fetch)(words, { ...terminal, startPager });
    expect(code).toBe(8);
  });

  test('is told nothing that could move the cursor', async () => {
    const { seen, startPager } = pagers();
    const fleet = shellOf('demo', service().fetch);
    await fleet(['groups', 'create', '--name', `a${esc}[2Jb`]);
    await fleet(['groups', 'list', '-o', 'ndjson'], { ...terminal, rows: 2, startPager });
    expect(seen[0]?.text).toContain('\\u001b[2J');
    expect(seen[0]?.text).not.toContain(esc);
  });

  test.skipIf(process.platform === 'win32')('gets no credentials', async () => {
    const { folder } = shellOf('demo', service().fetch);
    const file = join(folder, 'environment');
    const secrets = ['FLEET_PASSWORD', 'FLEET_REDIS_KEY', 'FLEET_REDIS_URL', 'PGPASSWORD', 'fleet_password'];
    const env = {
      ...Object.fromEntries(secrets.map((name) => [name, 'secret'])),
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
    };
    const pager = startPager(`env > ${file}`, env);
    pager.input.end();
    await pager.closed;
    expect(readFileSync(file, 'utf8')).toContain('LANG=C.UTF-8');
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
  });

  test('is FLEET_PAGER, else PAGER, else less if it is there', () => {
    expect(pagerCommand({ TERM: 'xterm', FLEET_PAGER: 'a', PAGER: 'b' })).toBe('a');
    expect(pagerCommand({ TERM: 'xterm', PAGER: 'b -x' })).toBe('b -x');
    expect(pagerCommand({ TERM: 'xterm', PAGER: '' })).toBeNull();
    expect(pagerCommand({ TERM: 'xterm', PATH: '/nowhere' })).toBeNull();
    for (const terminal of [{ TERM: 'dumb' }, {}]) expect(pagerCommand({ ...terminal, PAGER: 'b' })).toBeNull();
  });
});
