// The sockets that wake a waiting process, and their resistance to false reports.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addressIn,
  parseAddress,
  removeSocket,
  temporaryAddress,
  type WakeAddress,
} from '../../src/locks/wake-address.js';
import { announceHolder, WakeUp } from '../../src/locks/wake-up.js';

const root = mkdtempSync(join(tmpdir(), 'fleet-wake-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'w-'));
});
const opened: WakeUp[] = [];
afterEach(() => {
  for (const wakeUp of opened.splice(0)) wakeUp.close();
});

/** No test takes that long, so only an event can end this sleep. */
const LONG_MS = 3_600_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function waiter(): Promise<{ wakeUp: WakeUp; address: WakeAddress }> {
  const wakeUp = new WakeUp();
  opened.push(wakeUp);
  const address = await wakeUp.listen(folder);
  if (address === null) throw new Error('expected an address');
  return { wakeUp, address };
}

/** Returns a waiter that is connected to the one before it. */
async function follower(address: WakeAddress, id: string): Promise<WakeUp> {
  const { wakeUp } = await waiter();
  wakeUp.follow(address, id);
  while (!wakeUp.isLinked) await wakeUp.sleep(LONG_MS, undefined);
  return wakeUp;
}

test('the one behind is woken when the one before it ends its turn, and knows that it is gone', async () => {
  const { wakeUp: first, address } = await waiter();
  const second = await follower(address, 'first');
  expect(second.isGone('first')).toBe(false);
  const sleeping = second.sleep(LONG_MS, undefined);
  first.close();
  await sleeping;
  expect(second.isGone('first')).toBe(true);
  expect(second.isLinked).toBe(false);
});

test('the first that waits is woken by the end of a holder that nobody could connect to', async () => {
  const { wakeUp, address } = await waiter();
  const holder = announceHolder(address, 'free');
  while (!wakeUp.isLinked) await turn();
  const sleeping = wakeUp.sleep(LONG_MS, undefined);
  holder.destroy();
  await sleeping;
  expect(wakeUp.isGone('free')).toBe(true);
});

test('an end that comes between two sleeps is not missed', async () => {
  const { wakeUp: first, address } = await waiter();
  const second = await follower(address, 'first');
  first.close();
  while (!second.isGone('first')) await turn();
  await second.sleep(LONG_MS, undefined);
});

test('the signal ends a sleep', async () => {
  const { wakeUp } = await waiter();
  const leaving = new AbortController();
  const sleeping = wakeUp.sleep(LONG_MS, leaving.signal);
  leaving.abort();
  await sleeping;
  await wakeUp.sleep(LONG_MS, leaving.signal);
});

describe('nobody is taken for the one ahead', () => {
  test('who does not know the key', async () => {
    const { wakeUp, address } = await waiter();
    const stranger = announceHolder({ ...address, key: 'guessed' }, 'stranger');
    await new Promise((resolve) => stranger.once('close', resolve));
    expect(wakeUp.isLinked).toBe(false);
    expect(wakeUp.isGone('stranger')).toBe(false);
  });

  test('who sends without end', async () => {
    const { wakeUp, address } = await waiter();
    const stranger = connect(address.path).on('error', () => undefined);
    stranger.write('x'.repeat(100_000));
    await new Promise((resolve) => stranger.once('close', resolve));
    expect(wakeUp.isLinked).toBe(false);
  });

  test('who does not greet: a process without free file numbers closes every connection', async () => {
    const path = join(folder, 'silent.sock');
    const silent = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => silent.listen(path, resolve));
    const { wakeUp } = await waiter();
    wakeUp.follow({ path, key: 'k' }, 'silent');
    await new Promise((resolve) => silent.once('connection', (socket: Socket) => socket.once('close', resolve)));
    silent.close();
    // It follows another process only after that end has arrived.
    const { address } = await waiter();
    while (!wakeUp.isLinked) {
      wakeUp.follow(address, 'next');
      await turn();
    }
    expect(wakeUp.isGone('silent')).toBe(false);
  });

  test('the socket file of a dead process: the sleep ends by its time, and the next one can be followed', async () => {
    const { wakeUp } = await waiter();
    wakeUp.follow({ path: join(folder, 'dead.sock'), key: 'k' }, 'dead');
    await wakeUp.sleep(1, undefined);
    expect(wakeUp.isGone('dead')).toBe(false);
    const { address } = await waiter();
    while (!wakeUp.isLinked) {
      wakeUp.follow(address, 'alive');
      await turn();
    }
  });
});

describe.skipIf(process.platform === 'win32')('the socket file', () => {
  test("is its owner's only, and is removed at the end", async () => {
    const { wakeUp, address } = await waiter();
    expect(statSync(address.path).mode & 0o777).toBe(0o600);
    expect(dirname(address.path)).toBe(folder);
    wakeUp.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is in a temporary folder of its own when its path would be too long', async () => {
    folder = join(folder, 'x'.repeat(100));
    mkdirSync(folder);
    expect(addressIn(folder)).toBeNull();
    const { wakeUp, address } = await waiter();
    expect(dirname(dirname(address.path))).toBe(tmpdir());
    expect(statSync(dirname(address.path)).mode & 0o777).toBe(0o700);
    wakeUp.close();
    expect(existsSync(dirname(address.path))).toBe(false);
  });

  test('of a dead process is removed, and nothing else that an address may name', () => {
    const other = join(folder, 'aaaaaaaaaaaa.sock');
    writeFileSync(other, 'no socket');
    removeSocket({ path: other, key: '' });
    removeSocket({ path: join(folder, 'missing.sock'), key: '' });
    expect(existsSync(other)).toBe(true);
    const unused = temporaryAddress();
    if (unused) removeSocket(unused);
    expect(unused && existsSync(dirname(unused.path))).toBe(false);
  });
});

test('the address of Windows is a named pipe', () => {
  expect(addressIn(folder, 'win32')?.path).toMatch(/^\\\\\.\\pipe\\fleet-turn-[\da-f-]{36}$/);
});

test.each([null, 'x', {}, { path: 1, key: 'k' }, { path: 'p' }])('refuses %j as an address', (value) => {
  expect(parseAddress(value)).toBeNull();
});
