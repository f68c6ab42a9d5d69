// --demo-time sets the time of the demo service and of the command.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import { moment, service, shell } from './harness.js';
import { Sink } from './sink.js';

const time = '2026-03-02T08:45:00Z';
const status = ['vehicles', 'status', '-o', 'table', '--demo', '--demo-time'];

interface Machine {
  readonly now?: number;
  /** Advance of the clock at each reading. */
  readonly tick?: number;
  readonly zone?: string;
}

async function printed(words: readonly string[], { now = moment, tick = 0, zone = 'UTC' }: Machine = {}) {
  const stdout = new Sink();
  const stderr = new Sink();
  let time = now;
  const code = await run(words, {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: { TZ: zone },
    signal: new AbortController().signal,
    clock: { now: () => (time += tick) },
  });
  expect(stderr.text).toBe('');
  expect(code).toBe(0);
  return stdout.text;
}

test('the output is the same whenever the command runs and however long it takes', async () => {
  const text = await printed([...status, time]);
  // Ages are relative to that time, not to the time of the machine.
  expect(text).toMatch(/moving +\d+s /);
  expect(await printed([...status, time], { now: moment + 1_000_000_000, tick: 60_000 })).toBe(text);
  expect(await printed([...status, '2026-03-02T05:45:00Z'])).not.toBe(text);
});

test('relative times are relative to it', async () => {
  const rows = ['snapshots', 'list', 'Truck 07', '--fields', 'timestamp', '--demo', '--demo-time', time];
  const lastHours = await printed([...rows, '--from', '-7d', '--to', '-1h']);
  expect(lastHours.split('\n').length).toBeGreaterThan(10);
  expect(await printed([...rows, '--from', '2026-02-23T08:45Z', '--to', '2026-03-02T07:45Z'])).toBe(lastHours);
});

test('it has the forms of other times: relative to the machine’s clock, in the zone of TZ', async () => {
  const text = await printed([...status, time]);
  expect(await printed([...status, '-45m'])).toBe(text);
  expect(await printed([...status, '2026-03-02 10:45'], { zone: 'Europe/Tallinn' })).toBe(text);
});

test('the clock stands still under --watch too', async () => {
  const stdout = new Sink();
  const interrupt = new AbortController();
  let polls = 0;
  await run(['vehicles', 'status', '--watch', '--fields', 'timestamp', '-o', 'tsv', '--demo', '--demo-time', time], {
    stdin: new PassThrough(),
    stdout,
    stderr: new Sink(),
    env: {},
    signal: interrupt.signal,
    sleep: async () => {
      if (++polls === 3) interrupt.abort();
    },
  });
  const times = stdout.text.split('\n').filter((line) => /^\d/.test(line));
  expect(polls).toBe(3);
  expect(times.length).toBeGreaterThan(0);
  expect(times.filter((each) => each > '2026-03-02T08:45:01')).toEqual([]);
});

test('without --demo it is refused, and nothing is sent', async () => {
  const world = service();
  const fleet = shell(world.fetch);
  expect(await fleet(['vehicles', 'list', '--demo-time', time])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: --demo-time needs --demo. Nothing was sent.\n' +
      'hint: Add --demo, or leave out --demo-time: the clock of a real service cannot be set.\n',
  });
  expect(world.requests).toEqual([]);
});

test('an invalid time is refused', async () => {
  const { code, stderr } = await shell(service().fetch)(['vehicles', 'list', '--demo', '--demo-time', 'soon']);
  expect(code).toBe(2);
  expect(stderr).toContain('--demo-time "soon" is not a time.');
});
