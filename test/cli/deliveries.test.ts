// Delivery of events to a receiver over real HTTP, with timers that the test advances.
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Deliveries, type DeliveryOutcome, type Receiver } from '../../src/cli/watch/deliveries.js';
import { postReceiver } from '../../src/cli/watch/webhook.js';
import type { FleetEvent } from '../../src/index.js';
import { customFetchTransport } from '../../src/transport/custom-fetch.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { moment } from '../moment.js';
import { until } from '../until.js';
import { HandTimers } from './hand-timers.js';
import { type Answer, answers, WebhookReceiver } from './webhook-receiver.js';

const now = Date.parse(moment);

function event(id: string, vehicleId = 'v1'): FleetEvent {
  return {
    ...{ id, type: 'ignition', rule: 'ignition', at: moment, foundAt: moment, vehicleId, vehicle: 'Van', unit: null },
    ...{ resolves: null, licensePlate: null, text: 'ignition on', value: 'on', geofenceId: null, geofence: null },
    ...{ latitude: null, longitude: null, driverId: null },
  };
}

function queueTo(receiver: Receiver, random = () => 0.5) {
  const timers = new HandTimers(now);
  const delivered: string[] = [];
  const reports: string[] = [];
  const queue = new Deliveries({
    receiver,
    giveUpAfterMs: 3 * 86_400_000,
    now: () => timers.time,
    timers,
    random,
    onDelivered: ({ id }) => delivered.push(id),
    onRefused: ({ id }, reason) => reports.push(`refused ${id}: ${reason}`),
    onFailing: (reason, waitMs) => reports.push(`${reason}, ${waitMs} ms`),
    onRecovered: () => reports.push('well'),
    onFatal: (error) => reports.push(`broken: ${error}`),
  });
  return { queue, timers, delivered, reports };
}

async function posting({
  secret = 'secret' as string | null,
  random = (): number => 0.5,
  transport = nodeTransport(),
} = {}) {
  const receiver = await WebhookReceiver.start();
  onTestFinished(() => transport.close());
  const url = new URL(receiver.url);
  const answerTimers = new HandTimers(now);
  const post = postReceiver({ url, secret, transport, timers: answerTimers, now: () => now + 1_500 });
  return { receiver, answerTimers, ...queueTo(post, random) };
}

const ids = (receiver: WebhookReceiver) => receiver.posted.map(({ body }) => JSON.parse(body).id);

describe('what is posted', () => {
  test('is the event, with its id and a signature over time and body', async () => {
    const { receiver, queue, delivered } = await posting();
    queue.add([event('e1')]);
    await until(() => delivered.length === 1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.posted;
    expect(JSON.parse(body)).toEqual(event('e1'));
    const time = Math.floor((now + 1_500) / 1_000);
    const v1 = createHmac('sha256', 'secret').update(`${time}.${body}`).digest('hex');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'fleet-event-id': 'e1',
      'fleet-signature': `t=${time},v1=${v1}`,
      'user-agent': expect.stringMatching(/^fleet-telematics\//),
    });
  });

  test('has no signature without a secret', async () => {
    const { receiver, queue, delivered } = await posting({ secret: null });
    queue.add([event('e1')]);
    await until(() => delivered.length === 1);
    expect(receiver.posted[0]?.headers).not.toHaveProperty('fleet-signature');
  });
});

const long = 'x'.repeat(70_000);

describe.each<[string, () => HttpTransport]>([
  ['node:http', () => nodeTransport()],
  ['undici', () => undiciTransport({})],
  ['the fetch of a program', () => customFetchTransport((url, init) => fetch(url, init))],
])('the status decides, not the body: over %s', (_, transport) => {
  test.each<[string, Answer]>([
    ['is long', (response) => response.writeHead(200).end(long)],
    ['never ends', (response) => response.writeHead(200).write('x')],
    ['breaks', (response) => response.writeHead(200).write('x', () => response.destroy())],
    ['is no gzip', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
  ])('a body of 200 that %s', async (_, answer) => {
    const { receiver, queue, delivered, reports } = await posting({ transport: transport() });
    receiver.next.push(answer);
    queue.add([event('e1'), event('e2')]);
    await until(() => delivered.length === 2);
    expect({ reports, posted: ids(receiver) }).toEqual({ reports: [], posted: ['e1', 'e2'] });
  });

  test('a long body of 404', async () => {
    const { receiver, queue, reports } = await posting({ transport: transport() });
    receiver.next.push((response) => response.writeHead(404).end(long));
    queue.add([event('e1')]);
    await until(() => reports.length === 1);
    expect(reports).toEqual(['refused e1: it answered 404']);
  });
});

describe('failures', () => {
  test.each([500, 502, 503, 504, 408, 425, 429, 302])('%i is tried again', async (status) => {
    const { receiver, queue, timers, delivered } = await posting();
    receiver.next.push(answers.status(status));
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    expect(delivered).toEqual([]);
    timers.advance(500);
    await until(() => delivered.length === 1);
    expect(ids(receiver)).toEqual(['e1', 'e1']);
  });

  test.each([400, 401, 403, 404, 410, 422])('%i is reported and parked, and the next event follows', async (status) => {
    const { receiver, queue, delivered, reports } = await posting();
    receiver.next.push(answers.status(status));
    queue.add([event('e1'), event('e2')]);
    await until(() => delivered.length === 1);
    expect({ delivered, reports }).toEqual({ delivered: ['e2'], reports: [`refused e1: it answered ${status}`] });
  });

  test('the pauses double, and chance chooses up to them', async () => {
    const { receiver, queue, timers, delivered } = await posting({ random: () => 0.25 });
    receiver.always = answers.status(503);
    queue.add([event('e1')]);
    const pauses: (number | null)[] = [];
    for (let tries = 1; tries <= 11; tries++) {
      await until(() => timers.next !== null);
      pauses.push(timers.next);
      if (tries === 11) receiver.always = answers.status(204);
      timers.advance(timers.next ?? 0);
    }
    await until(() => delivered.length === 1);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 75_000, 75_000]);
  });

  test.each([['7'], [new Date(now + 1_500 + 7_000).toUTCString()]])('Retry-After: %s is honoured', async (after) => {
    const { receiver, queue, timers, delivered } = await posting();
    // The Date of the response would be that of this machine, so it is not sent.
    receiver.next.push((response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': after }).end();
    });
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    expect(timers.next).toBeGreaterThan(5_000);
    expect(timers.next).toBeLessThanOrEqual(7_000);
    timers.advance(7_000);
    await until(() => delivered.length === 1);
  });

  test('Retry-After of years is granted up to 5 minutes', async () => {
    const { receiver, queue, timers } = await posting();
    receiver.next.push(answers.status(429, { 'retry-after': '99999999999' }));
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    expect(timers.next).toBe(5 * 60_000);
  });

  test('a connection that breaks, and a receiver that is down and comes back', async () => {
    const { receiver, queue, timers, delivered, reports } = await posting();
    receiver.next.push(answers.reset);
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    await receiver.close();
    timers.advance(500);
    await until(() => timers.next !== null);
    await receiver.open();
    timers.advance(1_000);
    await until(() => delivered.length === 1);
    // Reported once, and without the address, which may contain a secret.
    expect(reports).toEqual([expect.stringMatching(/^it could not be reached \(\w+\), 500 ms$/), 'well']);
  });

  test('a receiver that never answers is given up after 30 s', async () => {
    const { receiver, queue, timers, answerTimers, delivered, reports } = await posting();
    receiver.next.push(() => undefined);
    queue.add([event('e1')]);
    await until(() => receiver.posted.length === 1);
    answerTimers.advance(30_000);
    await until(() => reports.length === 1);
    expect(reports).toEqual(['no answer within 30 s, 500 ms']);
    timers.advance(500);
    await until(() => delivered.length === 1);
  });

  test.each<[string, Receiver['deliver']]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', async () => Promise.reject(Object.assign(new Error('no'), { code: 'EMFILE' }))],
  ])('a receiver that %s fails, and its event is parked in the end', async (_, deliver) => {
    const { queue, timers, reports } = queueTo({ name: 'exec', label: '', deliver });
    queue.add([event('e1')]);
    await until(() => timers.next === 500);
    timers.advance(3 * 86_400_000);
    await until(() => reports.length === 2);
    expect(reports).toEqual([
      expect.stringMatching(/^it could not be started \((EMFILE|Error)\), 500 ms$/),
      expect.stringMatching(/^refused e1: it could not be started \(.*\), and the event is too old/),
    ]);
  });

  test('an event that nobody has taken for days is parked', async () => {
    const { receiver, queue, timers, reports } = await posting();
    receiver.always = answers.status(500);
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    timers.advance(3 * 86_400_000);
    await until(() => reports.length === 2);
    expect(reports[1]).toBe('refused e1: it answered 500, and the event is too old to be retried');
    expect(queue.size).toBe(0);
  });
});

describe('order', () => {
  test('a vehicle has its events one after the other, and an event that fails holds up its vehicle only', async () => {
    const { receiver, queue, timers, delivered } = await posting();
    receiver.always = (response, { body }) => {
      response.writeHead(JSON.parse(body).id === 'a1' ? 500 : 204).end();
    };
    queue.add([event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('a3', 'a'), event('b2', 'b')]);
    await until(() => delivered.length === 2 && timers.next !== null);
    expect(delivered).toEqual(['b1', 'b2']);
    receiver.always = answers.status(204);
    timers.advance(500);
    await until(() => delivered.length === 5);
    expect(delivered).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']);
  });

  test('a receiver that is unwell is left alone by all vehicles', async () => {
    const { receiver, queue, timers, delivered } = await posting();
    receiver.always = answers.status(503);
    queue.add(Array.from({ length: 20 }, (_, index) => event(`e${index}`, `v${index}`)));
    await until(() => timers.next !== null);
    // Deliveries that were running when the first one failed.
    expect(receiver.posted.length).toBeLessThanOrEqual(4);
    receiver.always = answers.status(204);
    await until(() => {
      timers.advance(timers.next ?? 0);
      return delivered.length === 20;
    });
    expect(new Set(delivered).size).toBe(20);
  });

  test('no more than four vehicles at the same time', async () => {
    const waiting: ((outcome: DeliveryOutcome) => void)[] = [];
    const { queue, delivered } = queueTo({
      ...{ name: 'exec', label: '' },
      deliver: () => new Promise((resolve) => waiting.push(resolve)),
    });
    queue.add(Array.from({ length: 9 }, (_, index) => event(`e${index}`, `v${index}`)));
    for (let done = 0; done < 9; done++) {
      await until(() => delivered.length === done);
      expect(waiting.length).toBe(Math.min(4, 9 - done));
      waiting.shift()?.({ kind: 'taken' });
    }
    await until(() => queue.size === 0);
  });
});

describe('the end', () => {
  test('waits for what is under way, and leaves the rest', async () => {
    const { receiver, queue, timers, delivered } = await posting();
    receiver.always = (response, { body }) => {
      // The second event gets no response.
      if (JSON.parse(body).id !== 'e2') response.writeHead(204).end();
    };
    queue.add([event('e1'), event('e2'), event('e3')]);
    const ended = queue.end(600);
    await until(() => receiver.posted.length === 2);
    timers.advance(600);
    await ended;
    expect({ delivered, left: queue.size, posted: ids(receiver) }).toEqual({
      delivered: ['e1'],
      left: 2,
      posted: ['e1', 'e2'],
    });
  });

  test('is at once while the receiver is unwell', async () => {
    const { receiver, queue, timers } = await posting();
    receiver.always = answers.status(503);
    queue.add([event('e1')]);
    await until(() => timers.next !== null);
    await queue.end(600);
    expect({ left: queue.size, next: timers.next }).toEqual({ left: 1, next: null });
  });
});

test('whoever waits for room gets it when some are taken', async () => {
  const { receiver, queue } = await posting();
  queue.add([event('e1', 'a'), event('e2', 'b'), event('e3', 'c')]);
  await queue.until(0, new AbortController().signal);
  expect(receiver.posted).toHaveLength(3);
  const ended = AbortSignal.abort(new Error('ended'));
  receiver.always = answers.status(500);
  queue.add([event('e4')]);
  await expect(queue.until(0, ended)).rejects.toThrow('ended');
});
