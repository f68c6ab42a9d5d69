// A watch that is killed repeatedly, over real HTTP: no event is lost, none has two ids, and the
// events of a vehicle are in order. The receiver is slow, refuses requests and goes down meanwhile.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { moment } from '../moment.js';
import { until } from '../until.js';
import { answers, WebhookReceiver } from './webhook-receiver.js';

const bin = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const start = Date.parse(moment);
const KILLS = 24;

interface Event {
  readonly id: string;
  readonly vehicleId: string;
  readonly at: string;
  readonly type: string;
}

/** A clock that the test advances, for all processes. */
const world = { time: start, now: () => world.time };

async function listening(): Promise<{ readonly service: MockService; readonly url: string }> {
  const service = createMockService({ seed: 1, vehicles: 12, clock: world });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  return { service, url };
}

function watch(folder: string, url: string, more: readonly string[]): ChildProcess {
  const { PATH = '', SystemRoot = '' } = process.env;
  const kinds = 'geofence-enter,geofence-exit,silent,speeding,ignition,idle,offline';
  return spawn(
    process.execPath,
    [bin, 'watch', '--on', kinds, '--for', 'silent=15m', '--speed-limit', '70', '--every', '1s', ...more],
    {
      env: {
        ...{ PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: folder, FLEET_BASE_URL: url },
        ...{ FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_WEBHOOK_SECRET: 'secret-of-the-receiver' },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the events of a watch that polls once, at the end of the period. */
async function expected(service: MockService, url: string): Promise<readonly Event[]> {
  const looks = () => service.requests.filter(({ operations }) => operations.includes('getVehicles')).length;
  const before = looks();
  const child = watch(temporary(), url, ['--since', new Date(start).toISOString(), '--quiet']);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  // All events of one poll have been written at the next poll. The output arrives in several parts.
  await until(() => looks() >= before + 2);
  const read = once(child, 'close');
  await kill(child);
  await read;
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test(`killed ${KILLS} times, it delivers every event to a receiver that is slow, refuses and goes away`, async () => {
  world.time = start;
  const { service, url } = await listening();
  const receiver = await WebhookReceiver.start();
  const folder = temporary();
  const flags = ['--since', 'last', '--post', receiver.url, '--quiet'];

  // The first watch stores the state at the start.
  const first = watch(folder, url, [...flags, '--state', join(folder, 'state')]);
  const journal = join(folder, 'state', 'watch.journal');
  await until(() => existsSync(journal) && readFileSync(journal, 'utf8').includes('"kind":"round"'));
  await kill(first);

  let seed = 7;
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let kills = 0; kills < KILLS; kills++) {
    world.time += 6 * 60_000;
    const before = receiver.posted.length;
    receiver.next.length = 0;
    if (kills % 4 === 1) receiver.always = answers.status(503);
    else if (kills % 4 === 2) receiver.always = () => undefined;
    else receiver.always = answers.status(204);
    if (kills % 8 === 3) await receiver.close();
    const child = watch(folder, url, [...flags, '--state', join(folder, 'state')]);
    // After some posts, or as soon as it has begun to poll.
    const after = Math.floor(chance() * 4);
    const isAlive = () => child.exitCode === null;
    if (kills % 4 === 0 && after > 0) {
      await Promise.race([until(() => receiver.posted.length >= before + after), once(child.stdout ?? child, 'data')]);
    } else if (kills % 4 === 3) await Promise.race([once(child, 'spawn'), once(child.stdout ?? child, 'data')]);
    else await once(child.stdout ?? child, 'data');
    expect(isAlive()).toBe(true);
    await kill(child);
    if (kills % 8 === 3) await receiver.open();
  }

  receiver.always = answers.status(204);
  const expectedEvents = await expected(service, url);
  const last = watch(folder, url, [...flags, '--state', join(folder, 'state')]);
  // A watch prints nothing when everything is delivered, so the receiver is checked.
  const ids = () => new Set(receiver.posted.map(({ headers }) => headers['fleet-event-id']));
  await until(() => {
    const deliveredIds = ids();
    return expectedEvents.every(({ id }) => deliveredIds.has(id));
  });
  await kill(last);

  expect(expectedEvents.length).toBeGreaterThan(60);
  // A silence may have begun before the start, where only the first watch saw it.
  const posted = receiver.posted
    .map(({ body, headers }): Event => ({ ...JSON.parse(body), id: headers['fleet-event-id'] }))
    .filter(({ at }) => Date.parse(at) >= start);
  // No event is lost, and nothing else is posted.
  expect([...new Set(posted.map(({ id }) => id))].sort()).toEqual(expectedEvents.map(({ id }) => id).sort());
  // No event has two ids.
  const facts = new Map(posted.map((event) => [`${event.vehicleId} ${event.type} ${event.at}`, event.id]));
  const keys = new Set(expectedEvents.map((event) => `${event.vehicleId} ${event.type} ${event.at}`));
  expect(facts.size).toBe(keys.size);
});
