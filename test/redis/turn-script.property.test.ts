// Compares the turn script with a model over random schedules: take, report, leave, die and come
// back, pause, restarts of Redis with and without its data, failovers, ended connections. The test
// controls time and server.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { turnScript } from '../../src/redis/turn-script.js';
import { isFullRun } from '../runs.js';
import { anyRedis, skipped } from './server.js';
import { type Caller, type Has, LEASE, TurnModel } from './turn-model.js';

const redis = await anyRedis();
const isMissing = redis === null && skipped('the random schedules against the script of a turn');
const client = redis && new Redis({ port: redis.port, host: '127.0.0.1' });
afterAll(async () => {
  client?.disconnect();
  await redis?.stop();
});

// The last four arguments are the time and the facts of the server.
const script = turnScript({
  time: '{ ARGV[#ARGV - 3], ARGV[#ARGV - 2] }',
  info: 'ARGV[#ARGV - 1]',
  replication: 'ARGV[#ARGV]',
});

const everybody = ['a', 'b', 'c', 'd', 'e'];
const ticket = fc.constantFrom(...everybody);
const hasAnswer = fc.boolean();
/** Two per ticket, so that one can end and the other follow. */
const connection = fc.nat(2);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('take'),
      ticket,
      rank: fc.nat(2),
      knowsPlace: fc.boolean(),
      hasAnswer,
      connection,
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('renew'), ticket, hasAnswer, connection }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('leave'), ticket, hasAnswer }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('gone'), ticket, connection: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('pause'), ms: fc.nat(LEASE), hasAnswer }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('look') }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('pass'), micros: fc.nat(LEASE * 300) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('pass'), micros: fc.nat(LEASE * 1600) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restart'), keepsData: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('fail over'), has: fc.constantFrom('everything', 'record', 'nothing') }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('drop') }) },
) as fc.Arbitrary<Step>;

type Step =
  | (Asking & { readonly op: 'take'; readonly ticket: string; readonly rank: number; readonly knowsPlace: boolean })
  | (Asking & { readonly op: 'renew'; readonly ticket: string })
  | { readonly op: 'leave'; readonly ticket: string; readonly hasAnswer?: boolean }
  | { readonly op: 'gone'; readonly ticket: string; readonly connection: number }
  | { readonly op: 'pause'; readonly ms: number; readonly hasAnswer?: boolean }
  | { readonly op: 'fail over'; readonly has: Has }
  | { readonly op: 'look' | 'drop' }
  | { readonly op: 'pass'; readonly micros: number }
  | { readonly op: 'restart'; readonly keepsData: boolean };

interface Asking {
  readonly hasAnswer?: boolean;
  /** 0: unknown. */
  readonly connection?: number;
}

/** Returns a connection number that no other ticket has. */
const numberOf = (ticket: string, connection = 0) =>
  connection === 0 ? '' : String(10 * (everybody.indexOf(ticket) + 1) + connection);

const callerOf = (ticket: string, { hasAnswer = false, connection }: Asking): Caller => ({
  ticket,
  hasAnswer,
  connection: numberOf(ticket, connection),
});

/** Runs a schedule in Redis, in one batch, and in the model; returns both answers. */
async function both(schedule: readonly Step[]) {
  const model = new TurnModel();
  const prefix = `{test-${randomUUID()}}`;
  const keysOfTurn = [`${prefix}:t`, `${prefix}:l`, `${prefix}:s`];
  const keys = [...keysOfTurn, `${prefix}:server`];
  const pipeline = client?.pipeline();
  if (!pipeline) throw new Error('no Redis');
  const expected: unknown[] = [];
  const fences = new Map<string, number>();
  const ask = (
    op: string,
    { ticket: who, hasAnswer: isKnown, connection: through }: Caller,
    args: readonly string[],
    answer: readonly unknown[],
  ) => {
    const facts = `run_id:${model.server}\r\nuptime_in_seconds:${model.uptimeSeconds}\r\n`;
    const time = [String(Math.floor(model.micros / 1e6)), String(model.micros % 1e6)];
    const replication = `master_replid2:${(model.isPromoted ? 'a' : '0').repeat(40)}\r\n`;
    pipeline.call('EVALSHA', [
      script.sha,
      '5',
      ...keys,
      `${prefix}:${who}`,
      op,
      who,
      String(LEASE),
      isKnown ? '1' : '',
      through,
      ...args,
      ...time,
      facts,
      replication,
    ]);
    expected.push(answer);
    const [outcome, value] = answer;
    if (outcome === 'held') fences.set(who, Number(value));
    if (outcome === 'waiting') model.places.set(who, Number(value));
  };
  const drop = (isKnownToo: boolean) => {
    pipeline.del(...(isKnownToo ? keys : keysOfTurn), ...everybody.map((who) => `${prefix}:${who}`));
    expected.push(expect.any(Number));
  };
  let servers = 1;
  for (const each of schedule) {
    // Two commands never run in the same microsecond.
    model.micros++;
    switch (each.op) {
      case 'take': {
        const place = each.knowsPlace ? (model.places.get(each.ticket) ?? null) : null;
        const caller = callerOf(each.ticket, each);
        const answer = model.take(caller, each.rank, place);
        ask('take', caller, [String(each.rank), place === null ? '' : String(place)], answer);
        break;
      }
      case 'renew': {
        const fence = fences.get(each.ticket);
        if (fence === undefined) break;
        const caller = callerOf(each.ticket, each);
        ask('renew', caller, [String(fence)], model.renew(caller, fence));
        break;
      }
      case 'gone': {
        const caller = callerOf('', {});
        const through = numberOf(each.ticket, each.connection);
        ask('gone', caller, [each.ticket, through], model.gone(caller, each.ticket, through));
        break;
      }
      case 'leave': {
        const caller = callerOf(each.ticket, each);
        ask('leave', caller, [], model.leave(caller));
        model.places.delete(each.ticket);
        break;
      }
      case 'pause': {
        const caller = callerOf('', each);
        ask('pause', caller, [String(each.ms)], model.pause(caller, each.ms));
        break;
      }
      case 'look':
        ask('look', callerOf('', {}), [], model.look());
        break;
      case 'pass':
        model.micros += each.micros;
        break;
      case 'restart':
        model.restart(`server${++servers}`, each.keepsData);
        if (!each.keepsData) drop(true);
        break;
      case 'fail over':
        model.failOver(`server${++servers}`, each.has);
        if (each.has !== 'everything') drop(each.has === 'nothing');
        break;
      case 'drop':
        model.drop(true);
        drop(true);
        break;
    }
  }
  for (const who of everybody) {
    pipeline.lrange(`${prefix}:${who}`, 0, -1);
    expected.push(model.inboxes.get(who) ?? []);
  }
  pipeline.del(...keys, ...everybody.map((who) => `${prefix}:${who}`));
  const answers = ((await pipeline.exec()) ?? []).slice(0, -1).map(([error, answer]) => error ?? answer);
  return { model, answers, expected };
}

/**
 * A late report of a lost turn grants the free turn to its waiting ticket (found by fast-check).
 */
const renewsAfterTheDataAreGone: readonly Step[] = [
  { op: 'take', ticket: 'd', rank: 0, knowsPlace: false },
  { op: 'drop' },
  { op: 'take', ticket: 'a', rank: 0, knowsPlace: false },
  { op: 'pause', ms: 1 },
  { op: 'take', ticket: 'd', rank: 0, knowsPlace: false },
  { op: 'leave', ticket: 'a' },
  { op: 'pass', micros: 1_000 },
  { op: 'renew', ticket: 'd' },
];

/** The turn passes on when the time of an ended connection is over, unless it reports. */
const losesItsConnection: readonly Step[] = [
  { op: 'take', ticket: 'a', rank: 0, knowsPlace: false, connection: 1 },
  { op: 'take', ticket: 'b', rank: 0, knowsPlace: false, connection: 1 },
  { op: 'take', ticket: 'c', rank: 0, knowsPlace: false, connection: 1 },
  { op: 'gone', ticket: 'a', connection: 2 },
  { op: 'look' },
  { op: 'gone', ticket: 'a', connection: 1 },
  { op: 'look' },
  { op: 'renew', ticket: 'a', connection: 2 },
  { op: 'look' },
  { op: 'gone', ticket: 'a', connection: 2 },
  { op: 'gone', ticket: 'b', connection: 1 },
  { op: 'take', ticket: 'c', rank: 0, knowsPlace: false, connection: 1 },
  { op: 'pass', micros: 1_250_000 },
  { op: 'take', ticket: 'd', rank: 0, knowsPlace: false },
];

test.skipIf(isMissing)(
  'the script answers as the model does, and its fencing tokens only grow',
  async () => {
    await client?.script('LOAD', script.text);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (schedule) => {
        const { model, answers, expected } = await both(schedule);
        expect(answers).toEqual(expected);
        const fences = model.granted.map(({ fence }) => fence);
        expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
      }),
      { numRuns: isFullRun ? 10_000 : 400, examples: [[[...renewsAfterTheDataAreGone]], [[...losesItsConnection]]] },
    );
  },
  300_000,
);

/** A living holder reports within this time, however often its connection ends. */
const REPORTED = 1_250;

test('the model never gives the turn to two living holders, as long as Redis keeps its data', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (schedule) => {
      const model = new TurnModel();
      /**
       * Time until which a ticket may believe in its turn: a lease, less if its connection ends.
       */
      const believes = new Map<string, number>();
      for (const each of schedule) {
        model.micros++;
        if (each.op === 'pass') model.micros += each.micros;
        if (each.op === 'take') {
          const [outcome] = model.take(callerOf(each.ticket, each), each.rank, null);
          if (outcome === 'held') believes.set(each.ticket, model.now + LEASE);
        }
        if (each.op === 'leave') {
          believes.delete(each.ticket);
          model.leave(callerOf(each.ticket, each));
        }
        if (each.op === 'gone') {
          model.gone(callerOf('', {}), each.ticket, numberOf(each.ticket, each.connection));
          const until = believes.get(each.ticket);
          if (until !== undefined) believes.set(each.ticket, Math.min(until, model.now + REPORTED));
        }
        if (each.op === 'pause') model.pause(callerOf('', each), each.ms);
        const holders = [...believes].filter(([, until]) => until > model.now);
        expect(holders.length).toBeLessThan(2);
      }
    }),
    { numRuns: isFullRun ? 10_000 : 1_000 },
  );
});

/** Quiet for half a lease, for a caller without knowledge, such as a new process. */
test.each<[string, Has]>([
  ['that was copied before this turn was taken', 'record'],
  ['that was never copied', 'nothing'],
  ['that is a full copy', 'everything'],
])('the model gives no second holder when a replica takes over %s', (_what, has) => {
  const model = new TurnModel();
  const [holder] = [callerOf('a', { connection: 1 })];
  const [, fence] = model.take(holder, 1, null);
  model.failOver('server2', has);
  expect(model.take(callerOf('b', {}), 1, null)[0]).toBe('waiting');
  model.micros += (LEASE / 2 - 1) * 1000;
  expect(model.take(callerOf('c', {}), 1, null)[0]).toBe('waiting');
  expect(model.renew(holder, Number(fence))[0]).toBe('held');
  model.micros += (LEASE - 1) * 1000;
  expect(model.take(callerOf('b', {}), 1, null)[0]).toBe('waiting');
});

test('a key that is used for the first time on a server that is known is free at once', () => {
  const model = new TurnModel();
  expect(model.take(callerOf('a', {}), 1, null)[0]).toBe('held');
});
