// The long run: `npm run fuzz`. FUZZ_CASES is the number of cases (default 100,000), FUZZ_SEED
// their seed, FUZZ_FROM the first one. A case depends on seed and number only, its state on the 250
// cases before it.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';
import {
  byFetch,
  byHttp,
  described,
  freshWorld,
  newTally,
  type Send,
  type Tally,
  tryControl,
  tryOne,
} from './drive.js';
import { Random } from './random.js';
import { answersTo, rawBytes } from './raw.js';
import { type Watchdog, watchdog } from './watchdog.js';

const cases = Number(process.env.FUZZ_CASES ?? 100_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const from = Number(process.env.FUZZ_FROM ?? 0);
const share = (part: number): number => Math.ceil(cases * part);
const windowSize = 250;
const hang = 60_000;
const slow = 5000;

const unhandled: string[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
};
let guard: Watchdog;

beforeAll(() => {
  process.on('unhandledRejection', onUnhandled);
  process.on('uncaughtException', onUnhandled);
  guard = watchdog(seed, hang);
});
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  process.off('uncaughtException', onUnhandled);
  await guard.stop();
});

const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024);

function memory(): { readonly heap: number; readonly resident: number } {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc: npm run fuzz');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: mib(heapUsed), resident: mib(rss) };
}

function report(name: string, tally: Tally, notes: object = {}): void {
  const { findings, slowest, statuses, kinds, withData } = tally;
  const shown = {
    ...notes,
    findings: findings.length,
    withData,
    statuses,
    kinds,
    slowest,
  };
  process.stdout.write(`${name}: ${JSON.stringify(shown)}\n`);
  expect(described(findings)).toBe('');
  expect(unhandled).toEqual([]);
  expect(slowest.ms).toBeLessThan(slow);
}

test('through fetch: nothing fails, hangs or grows', async () => {
  const service = createMockService();
  const send: Send = (attempt) => byFetch(service, attempt);
  const tally = newTally();
  const end = from + share(0.9);
  const marks: ReturnType<typeof memory>[] = [];
  let world = await freshWorld(service);
  for (let index = from; index < end; index += 1) {
    if ((index - from) % windowSize === 0) world = await freshWorld(service);
    // The first fifth fills the bounded caches, such as encoded rows; then memory must not grow.
    if ((index - from) % share(0.09) === 0) marks.push(memory());
    guard.begins(index);
    await tryOne(tally, seed, index, world, send);
  }
  await freshWorld(service);
  marks.push(memory());
  report('through fetch', tally, { memory: marks.map(({ heap, resident }) => `${heap} of ${resident} MiB`) });
  const heaps = marks.slice(2).map(({ heap }) => heap);
  expect(Math.min(...heaps.slice(-3)) - Math.min(...heaps.slice(0, 3))).toBeLessThan(30);
}, 3_600_000);

test('over HTTP: the same, and no connection is left open', async () => {
  const service = createMockService();
  const server = await service.listen();
  const tally = newTally();
  try {
    const send: Send = (attempt) => byHttp(server.url, attempt, hang);
    let world = await freshWorld(service);
    for (let index = from; index < from + share(0.06); index += 1) {
      if ((index - from) % windowSize === 0) world = await freshWorld(service);
      guard.begins(index);
      await tryOne(tally, seed + 1, index, world, send);
    }
    report('over HTTP', tally);
  } finally {
    await server.close();
  }
}, 3_600_000);

test('bytes that are no HTTP: refused or dropped, and the next client is answered', async () => {
  const service = createMockService();
  const server = await service.listen();
  const statuses: Record<string, number> = {};
  const findings: string[] = [];
  try {
    const world = await freshWorld(service);
    const atOnce = 16;
    for (let index = from; index < from + share(0.03); index += atOnce) {
      guard.begins(index);
      const some = Array.from({ length: atOnce }, (_, at) => index + at);
      const answers = await Promise.all(
        some.map((one) => answersTo(server.port, rawBytes(new Random(seed, one), world), 250)),
      );
      answers.forEach((lines, at) => {
        for (const line of lines.length === 0 ? ['HTTP/1.1 no answer'] : lines) {
          const status = line.slice('HTTP/1.1 '.length);
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status.startsWith('5')) findings.push(`raw case ${some[at]} of seed ${seed}: ${line}`);
        }
      });
    }
    const health = await fetch(`${server.url}/__mock/health`);
    process.stdout.write(`raw bytes: ${JSON.stringify({ statuses, findings: findings.length })}\n`);
    expect(health.status).toBe(200);
    expect(findings).toEqual([]);
    expect(unhandled).toEqual([]);
    // Sixteen clients disconnect during a long answer; their user's turn must be free again.
    const body = JSON.stringify({
      query: `{ getSnapshots(vehicleId: "${world.ids[0]}", from: "2025-01-01T00:00:00Z", to: "2026-03-04T00:00:00Z") { timestamp } }`,
    });
    const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.token}\r\nuserid: ${world.userId}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    for (let turn = 0; turn < 16; turn += 1) expect(await firstLine(server.port, head + body)).toBe('HTTP/1.1 200 OK');
  } finally {
    await server.close();
  }
}, 3_600_000);

/** Returns the first line of the answer, disconnects, and waits until the server has noticed. */
async function firstLine(port: number, bytes: string): Promise<string> {
  const line = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('error', reject);
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString('latin1').split('\r\n', 1).join(''));
    });
  });
  const health = await fetch(`http://127.0.0.1:${port}/__mock/health`);
  await health.text();
  return line;
}

test('/__mock/: nothing leaves a service behind that fails', async () => {
  const service = createMockService();
  const tally = newTally();
  for (let index = from; index < from + share(0.01); index += 1) {
    guard.begins(index);
    await tryControl(tally, seed, index, service, (attempt) => byFetch(service, attempt));
  }
  report('/__mock/', tally);
}, 3_600_000);
