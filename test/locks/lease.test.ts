// The lease between processes: exclusive, released, and taken over from a killed holder.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { acquireFreeLease, acquireLease, Contender } from '../../src/locks/lease.js';
import { hostIdentity, ownIdentity, stateOf } from '../../src/locks/process-identity.js';
import { rejection } from '../request/setup.js';
import { leaveLock } from './abandoned-lock.js';

const root = mkdtempSync(join(tmpdir(), 'fleet-lease-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(root, 'l-')), 'deep', 'x.lock');
});

const age = (ms: number) => utimesSync(path, new Date(Date.now() - ms), new Date(Date.now() - ms));

test('is held by one and given back', async () => {
  const lease = await acquireLease(path);
  let second = false;
  const waiting = acquireLease(path).then((acquired) => {
    second = true;
    return acquired;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(second).toBe(false);
  lease.release();
  (await waiting).release();
  expect(existsSync(path)).toBe(false);
});

test('the wait for it ends with its signal', async () => {
  const lease = await acquireLease(path);
  const controller = new AbortController();
  const waiting = rejection(acquireLease(path, { signal: controller.signal }));
  controller.abort(new Error('left'));
  expect(await waiting).toEqual(new Error('left'));
  lease.release();
});

test('of a holder that comes back between two looks is left alone', async () => {
  const lease = await acquireLease(path);
  const held = readFileSync(path, 'utf8');
  let looks = 0;
  expect(new Contender(path).takeOver(() => ++looks === 1)).toBeNull();
  expect(looks).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe(held);
  lease.release();
});

describe('is taken over', () => {
  test('from a process that was killed', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.on('exit', resolve));
    const lease = await acquireLease(path);
    const held: object = JSON.parse(readFileSync(path, 'utf8'));
    lease.release();
    writeFileSync(path, JSON.stringify({ ...held, id: 'of-the-dead', pid: dead.pid }));
    let holders = 0;
    const hold = async () => {
      const acquired = await acquireLease(path);
      expect(++holders).toBe(1);
      expect(readFileSync(path, 'utf8')).not.toContain('of-the-dead');
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
      acquired.release();
    };
    await Promise.all([hold(), hold(), hold()]);
  });

  test('from a holder elsewhere that was silent for long, and not before', async () => {
    const lease = await acquireLease(path);
    lease.release();
    writeFileSync(path, JSON.stringify({ id: 'elsewhere', pid: 1, host: `not-${hostname()}` }));
    age(20_000);
    const early = rejection(acquireLease(path, { signal: AbortSignal.timeout(60) }));
    expect(await early).toMatchObject({ name: 'TimeoutError' });
    age(31_000);
    let elapsed = 0;
    const monotonic = () => {
      elapsed += 3000;
      return elapsed;
    };
    (await acquireLease(path, { monotonic })).release();
  });

  test('from one that was killed before it could write', async () => {
    const lease = await acquireLease(path);
    lease.release();
    writeFileSync(path, '');
    age(3000);
    (await acquireLease(path)).release();
  });

  test('past a successor that was killed while it took over', async () => {
    const lease = await acquireLease(path);
    lease.release();
    writeFileSync(path, '');
    age(3000);
    writeFileSync(`${path}.succession`, '');
    utimesSync(`${path}.succession`, new Date(Date.now() - 3000), new Date(Date.now() - 3000));
    (await acquireLease(path)).release();
  });
});

test.skipIf(process.platform !== 'linux')(
  'a process is not alive because its parent never asks what has become of it',
  async () => {
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    try {
      let printed = '';
      for await (const text of parent.stdout ?? []) {
        printed += text;
        if (printed.includes('\n')) break;
      }
      const pid = Number.parseInt(printed, 10);
      // Once `sleep` has replaced the shell, the child stays a zombie: `sleep` does not reap it.
      const name = `/proc/${parent.pid}/comm`;
      while (readFileSync(name, 'utf8') !== 'sleep\n') await new Promise((resolve) => setImmediate(resolve));
      const own = ownIdentity();
      const isGone = () => stateOf({ ...own, pid, startedAt: null }) === 'gone';
      expect(stateOf(own)).toBe('running');
      expect(isGone()).toBe(false);
      const [, , , input] = parent.stdio;
      if (input instanceof Writable) input.end();
      while (!isGone()) await new Promise((resolve) => setImmediate(resolve));
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

test('is not taken over because the clock jumps ahead, but when its holder is silent', async () => {
  // As if held by this process, but nothing touches it.
  (await acquireLease(path)).release();
  writeFileSync(path, JSON.stringify({ id: 'alive', pid: process.pid, host: hostIdentity() }));
  let elapsed = 0;
  let looks = 0;
  // Each poll is a second later. By the wall clock the holder touched it 40 s ago.
  const monotonic = () => {
    looks++;
    return elapsed;
  };
  age(40_000);
  const waiting = acquireLease(path, { monotonic });
  const look = async () => {
    const before = looks;
    for (let i = 0; i < 50_000 && looks === before; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  await look();
  elapsed = 4000;
  await look();
  // Its holder is alive and touches it; then the clock jumps again.
  age(39_000);
  await look();
  elapsed = 8000;
  await look();
  expect(readFileSync(path, 'utf8')).toContain('alive');
  expect(looks).toBeGreaterThan(3);
  elapsed = 20_000;
  (await waiting).release();
});

test('does not give back what somebody else took over', async () => {
  const lease = await acquireLease(path);
  writeFileSync(path, JSON.stringify({ id: 'new holder', pid: process.pid, host: hostname() }));
  lease.release();
  expect(readFileSync(path, 'utf8')).toContain('new holder');
});

describe('of a process whose number is in use again', () => {
  test.skipIf(process.platform !== 'linux').each([
    ['started later', { ticks: '1' }],
    ['started after a reboot', { boot: '00000000-0000-0000-0000-000000000000' }],
  ])('%s, it is taken at once, by those who wait and those who do not', async (_, earlier) => {
    leaveLock(path, earlier);
    (await acquireFreeLease(path))?.release();
    expect(existsSync(path)).toBe(false);
    leaveLock(path, earlier);
    (await acquireLease(path)).release();
    expect(existsSync(path)).toBe(false);
  });

  test('that is still the same process, it is refused', async () => {
    const lease = await acquireLease(path);
    age(3_600_000);
    expect(await acquireFreeLease(path)).toBeNull();
    lease.release();
  });
});

describe('of a holder that may be alive, for a caller that does not wait until it is done', () => {
  const elsewhere = async () => {
    (await acquireLease(path)).release();
    writeFileSync(path, JSON.stringify({ id: 'elsewhere', pid: 1, host: `not-${hostname()}` }));
  };

  test.each([
    ['touched two hours ago', 7_200_000, 5000],
    ['touched a second ago', 1000, 30_000],
    // The clock was set back, as on a machine without a clock battery.
    ['touched in the future', -7_200_000, 30_000],
  ])('%s, it is taken when it has not moved for long enough', async (_, touchedAgo, still) => {
    await elsewhere();
    age(touchedAgo);
    let elapsed = 0;
    let waits = 0;
    const monotonic = () => elapsed;
    const waiting = acquireFreeLease(path, {
      monotonic,
      onWait: () => {
        waits++;
        elapsed = still;
      },
    });
    const lease = await waiting;
    expect(readFileSync(path, 'utf8')).not.toContain('elsewhere');
    expect(waits).toBe(1);
    lease?.release();
  });

  test('it is refused when the holder touches it', async () => {
    await elsewhere();
    age(7_200_000);
    expect(await acquireFreeLease(path, { onWait: () => age(0) })).toBeNull();
    expect(readFileSync(path, 'utf8')).toContain('elsewhere');
  });

  test('the wait ends with the signal', async () => {
    await elsewhere();
    const controller = new AbortController();
    const onWait = () => controller.abort(new Error('left'));
    expect(await rejection(acquireFreeLease(path, { signal: controller.signal, onWait }))).toEqual(new Error('left'));
  });
});

test('past a successor that was killed before the clock was set back', async () => {
  (await acquireLease(path)).release();
  writeFileSync(path, '');
  age(-7_200_000);
  writeFileSync(`${path}.succession`, '');
  utimesSync(`${path}.succession`, new Date(Date.now() + 7_200_000), new Date(Date.now() + 7_200_000));
  (await acquireLease(path, { signal: AbortSignal.timeout(2000) })).release();
});
