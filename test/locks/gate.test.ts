// Gates: one holder per key, first come first served, released only when the task has settled.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileGate, type Gate, localGate } from '../../src/index.js';
import { turnFiles } from '../../src/locks/file-gate.js';
import { hostIdentity } from '../../src/locks/process-identity.js';
import { readTicket, Ticket, ticketsIn, type Waiter } from '../../src/locks/tickets.js';
import { addressIn, type WakeAddress } from '../../src/locks/wake-address.js';
import { announceHolder, WakeUp } from '../../src/locks/wake-up.js';
import { createDeferred, rejection } from '../request/setup.js';

const directory = mkdtempSync(join(tmpdir(), 'fleet-gate-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each<[string, () => Gate]>([
  ['localGate', () => localGate()],
  ['fileGate', () => fileGate({ directory })],
])('%s', (_name, make) => {
  test('runs the tasks of a key one after the other, in order, and gives their outcomes', async () => {
    const gate = make();
    const order: number[] = [];
    let active = 0;
    const tasks = Array.from({ length: 20 }, (_, index) =>
      gate.hold('key', async () => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(index);
        active--;
        if (index === 3) throw new Error('three');
        return index;
      }),
    );
    const outcomes = await Promise.allSettled(tasks);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: new Error('three') });
    expect(outcomes[19]).toEqual({ status: 'fulfilled', value: 19 });
  });

  test('keys do not wait for each other', async () => {
    const gate = make();
    const first = createDeferred();
    const held = gate.hold('a', () => first.promise);
    expect(await gate.hold('b', async () => 'b')).toBe('b');
    first.resolve();
    await held;
  });

  test('an abort ends the wait before the task, and not the hold during it', async () => {
    const gate = make();
    const running = new AbortController();
    const waiting = new AbortController();
    const work = createDeferred<string>();
    let started = false;
    const first = gate.hold('key', () => work.promise, { signal: running.signal });
    const second = rejection(gate.hold('key', async () => 'never', { signal: waiting.signal }));
    const third = gate.hold('key', async () => {
      started = true;
      return 'third';
    });
    waiting.abort(new Error('left'));
    expect(await second).toEqual(new Error('left'));
    running.abort(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toBe(false);
    work.resolve('first');
    expect(await first).toBe('first');
    expect(await third).toBe('third');
  });

  test('a key is free again after a task, also after one that failed', async () => {
    const gate = make();
    for (const task of [async () => 'done', () => Promise.reject(new Error('failed'))]) {
      await gate.hold('key', task).catch(() => undefined);
      expect(await gate.hold('key', async () => 'next')).toBe('next');
    }
  });

  test('a key is free again after a wait that was given up while the turn came, whenever that is', async () => {
    for (let microtasks = 0; microtasks < 12; microtasks++) {
      const gate = make();
      const leaving = new AbortController();
      const work = createDeferred();
      const held = gate.hold('key', () => work.promise);
      const left = gate.hold('key', async () => 'came', { signal: leaving.signal }).catch(() => 'left');
      work.resolve();
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
      leaving.abort(new Error('gone'));
      await Promise.all([held, left]);
      expect(await gate.hold('key', async () => 'next')).toBe('next');
    }
  });

  test('a signal that has fired already means that nothing runs', async () => {
    const ran = rejection(make().hold('key', async () => 'ran', { signal: AbortSignal.abort(new Error('gone')) }));
    expect(await ran).toEqual(new Error('gone'));
  });
});

test('two file gates over one folder exclude each other', async () => {
  const one = fileGate({ directory });
  const other = fileGate({ directory });
  let active = 0;
  const task = async () => {
    expect(++active).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    active--;
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).hold('shared', task)));
});

test.skipIf(process.platform === 'win32')(
  'a widened folder of turns is narrowed, so that others cannot take turns away',
  async () => {
    const folder = join(directory, 'turns');
    await fileGate({ directory }).hold('key', async () => undefined);
    chmodSync(folder, 0o777);
    await fileGate({ directory }).hold('key', async () => undefined);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  },
);

describe('processes', () => {
  test('are served in the order they came, here each with a gate of its own', async () => {
    const order: number[] = [];
    const work = createDeferred();
    const held = fileGate({ directory }).hold('fair', () => work.promise);
    const waiting: Promise<unknown>[] = [];
    for (let index = 0; index < 8; index++) {
      waiting.push(fileGate({ directory }).hold('fair', async () => order.push(index)));
      await nextMillisecond();
    }
    work.resolve();
    await Promise.all([held, ...waiting]);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(readdirSync(queueOf('fair'))).toEqual([]);
    expect(remainingFiles()).toEqual([]);
  });

  test('that were killed while they waited are passed over', async () => {
    const folder = queueOf('killed');
    mkdirSync(folder, { recursive: true });
    // A pid above the maximum of any system.
    const dead = { id: 'killed', pid: 2147483646, host: hostIdentity() };
    writeFileSync(join(folder, '000000000000001.2147483646.x'), JSON.stringify(dead));
    expect(await fileGate({ directory }).hold('killed', async () => 'served')).toBe('served');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that left give their place up', async () => {
    const work = createDeferred();
    const leaving = new AbortController();
    const held = fileGate({ directory }).hold('left', () => work.promise);
    const left = rejection(fileGate({ directory }).hold('left', async () => 'never', { signal: leaving.signal }));
    const stays = fileGate({ directory }).hold('left', async () => 'served');
    leaving.abort(new Error('gone'));
    expect(await left).toEqual(new Error('gone'));
    work.resolve();
    await held;
    expect(await stays).toBe('served');
    expect(readdirSync(queueOf('left'))).toEqual([]);
    expect(remainingFiles()).toEqual([]);
  });
});

describe.each(['free', 'waited for'])('a holder of a turn that was %s', (kind) => {
  test('is succeeded when its connection ends, although its process still runs', async () => {
    const key = `ends ${kind}`;
    const { lease, queue } = turnFiles(directory, key);
    mkdirSync(dirname(lease), { recursive: true });
    const holder = new WakeUp();
    const door = kind === 'free' ? null : await watchedDoor(holder, dirname(lease));
    // As if another thread of this process held and touched it.
    const address = door?.address ?? null;
    writeFileSync(lease, JSON.stringify({ id: 'holder', pid: process.pid, host: hostIdentity(), address }));
    keepFresh(lease);
    let isServed = false;
    const served = fileGate({ directory }).hold(key, async () => {
      isServed = true;
    });
    let waiter: Waiter | null = null;
    while (!waiter?.address) {
      await new Promise((resolve) => setImmediate(resolve));
      const [ticket = 'none'] = ticketsIn(queue);
      waiter = readTicket(queue, ticket);
    }
    const link = door ? null : announceHolder(waiter.address, 'holder');
    if (link) await new Promise((resolve) => link.once('connect', resolve));
    await door?.greeted;
    await severalRounds();
    expect(isServed).toBe(false);
    link?.destroy();
    holder.close();
    await served;
    door?.close();
    expect(remainingFiles()).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'one that was killed while it waited is passed over when its connection ends',
  async () => {
    const { lease, queue } = turnFiles(directory, 'ahead');
    mkdirSync(dirname(lease), { recursive: true });
    const ahead = new Ticket(queue);
    const wakeUp = new WakeUp();
    const door = await watchedDoor(wakeUp, dirname(lease));
    ahead.publish(door.address);
    for (const name of ticketsIn(queue)) keepFresh(join(queue, name));
    await nextMillisecond();
    let isServed = false;
    const served = fileGate({ directory }).hold('ahead', async () => {
      isServed = true;
    });
    await door.greeted;
    await severalRounds();
    expect(isServed).toBe(false);
    // Its ticket stays, and its process runs.
    wakeUp.close();
    await served;
    door.close();
    expect(readdirSync(queue)).toEqual([]);
  },
);

describe('the ticket of a process that waits', () => {
  const waiting = () => {
    const queue = mkdtempSync(join(directory, 'waits-'));
    const ticket = new Ticket(queue);
    const [name = ''] = ticketsIn(queue);
    return { ticket, queue, path: join(queue, name) };
  };

  test('stays young', () => {
    const { ticket, path } = waiting();
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const age = () => Date.now() - statSync(path).mtimeMs;
    utimesSync(path, anHourAgo, anHourAgo);
    ticket.ahead();
    expect(age()).toBeGreaterThan(3_000_000);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 2_001);
    onTestFinished(() => void vi.restoreAllMocks());
    ticket.ahead();
    expect(age()).toBeLessThan(600_000);
  });

  test('comes back when another process took it for one of the dead', () => {
    const { ticket, queue } = waiting();
    const names = ticketsIn(queue);
    rmSync(join(queue, names[0] ?? ''));
    expect(ticket.ahead()).toEqual([]);
    expect(ticketsIn(queue)).toEqual(names);
  });
});

/** The order of tickets has a resolution of one millisecond. */
async function nextMillisecond(): Promise<void> {
  const came = Date.now();
  while (Date.now() === came) await new Promise((resolve) => setImmediate(resolve));
}

/** The age of the file must not make it stale. */
function keepFresh(path: string): void {
  const inAnHour = new Date(Date.now() + 3_600_000);
  utimesSync(path, inAnHour, inAnHour);
}

/** Lets all effects of received data happen. */
async function severalRounds(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** Listens behind a forwarding address that reports connections and greetings. */
async function watchedDoor(wakeUp: WakeUp, folder: string) {
  const inner = await wakeUp.listen(folder);
  const outer = addressIn(folder);
  if (inner === null || outer === null) throw new Error('expected an address');
  const greeted = createDeferred();
  const server = createServer((socket) => {
    const passedOn = connect(inner.path);
    socket.pipe(passedOn).pipe(socket);
    for (const each of [socket, passedOn]) each.on('error', () => undefined);
    passedOn.once('data', () => greeted.resolve());
  });
  await new Promise<void>((resolve) => server.listen(outer.path, resolve));
  const address: WakeAddress = { path: outer.path, key: inner.key };
  return { address, greeted: greeted.promise, close: () => server.close() };
}

function remainingFiles(): string[] {
  return readdirSync(join(directory, 'turns')).filter((name) => !name.endsWith('.queue'));
}

function queueOf(key: string): string {
  return join(directory, 'turns', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.turn.queue`);
}
