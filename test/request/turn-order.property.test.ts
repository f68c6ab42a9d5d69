// Any waiting items in any order: higher priorities go first without starving others, no read
// overtakes a mutation of its own caller, merged calls have one priority, and every call is
// answered once.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallDeadline } from '../../src/core/deadline.js';
import { FAIR_TURNS } from '../../src/core/priority.js';
import { operations } from '../../src/generated/operation-table.js';
import type { Priority } from '../../src/index.js';
import type { MergedCalls } from '../../src/request/batch.js';
import type { Call, CallAnswer } from '../../src/request/call.js';
import { FailedRequest } from '../../src/request/failure-error.js';
import { Merging } from '../../src/request/merging.js';
import { ClientPart, TurnOrder } from '../../src/request/turn-order.js';
import { runs } from '../runs.js';
import { HandTimers } from './hand-timers.js';
import { makeQueue } from './inner.js';

const priorities: readonly Priority[] = ['high', 'normal', 'low'];
const rank = (priority: Priority) => priorities.indexOf(priority);
const client = { name: 'client' };
/** A client, two incoming requests that use it, and another client. */
const callers = [client, new ClientPart(client), new ClientPart(client), { name: 'other' }] as const;
/** Two parts of a client do not wait for each other; the client and its parts do. */
const areInOrder = (one: number, other: number) => one === other || (one < 3 && other < 3 && one * other === 0);

interface Item {
  readonly at: number;
  readonly priority: Priority;
  readonly isFence: boolean;
  readonly of: readonly number[];
  isAbandoned: boolean;
  place: number;
  callers(): Iterable<object>;
}

interface CallPlan {
  readonly priority: Priority;
  readonly isFence: boolean;
  readonly of: number[];
}

type Step =
  | { readonly add: CallPlan }
  | { readonly leave: number }
  | { readonly flood: Priority; readonly turns: number }
  | 'take';

/** Long runs of one priority starve others. */
const somePriority = fc.constantFrom<Priority>('high', 'high', 'high', 'normal', 'normal', 'low');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      add: fc.record({
        priority: somePriority,
        isFence: fc.constantFrom(false, false, true),
        of: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
      }),
    }),
  },
  { weight: 5, arbitrary: fc.constant<Step>('take') },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(40) }) },
  // A new item of one priority before each turn starves others.
  { weight: 1, arbitrary: fc.record({ flood: fc.constantFrom<Priority>('high', 'normal'), turns: fc.nat(20) }) },
);

/** Returns the items that must go before this one: the rules by brute force. */
function neededBefore(item: Item, waiting: readonly Item[]): Item[] {
  return waiting.filter(
    (other) =>
      other.at < item.at &&
      other.of.some((caller) => item.of.some((own) => areInOrder(own, caller))) &&
      (other.isFence || (item.isFence && rank(other.priority) <= rank(item.priority))),
  );
}

function isNeededFor(item: Item, target: Item, waiting: readonly Item[]): boolean {
  return item === target || neededBefore(target, waiting).some((other) => isNeededFor(item, other, waiting));
}

describe('for any schedule', () => {
  test('what goes next is right, and nothing starves', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const order = new TurnOrder<Item>();
        const all: Item[] = [];
        const takenItems = new Set<Item>();
        const passedOver = { high: 0, normal: 0, low: 0 };
        const lower: boolean[] = [];
        const take = () => {
          const waiting = all.filter((item) => !takenItems.has(item) && !item.isAbandoned);
          const next = order.take();
          if (next === null) {
            expect(waiting, 'nothing is lost').toEqual([]);
            return false;
          }
          expect(waiting, 'once, and only for somebody who waits').toContain(next);
          expect(neededBefore(next, waiting), `before ${next.at}`).toEqual([]);
          const headOf = (priority: Priority) => waiting.find((item) => item.priority === priority);
          const isFor = (priority: Priority) => {
            const head = headOf(priority);
            return head !== undefined && isNeededFor(next, head, waiting);
          };
          const served = priorities.filter(isFor);
          expect(served, 'the first of a priority, or what has to go before it').not.toEqual([]);
          const highest = priorities.find((priority) => headOf(priority));
          lower.push(highest !== undefined && !served.includes(highest));
          expect(lower.slice(-FAIR_TURNS).filter(Boolean).length, 'turns of lower priorities').toBeLessThanOrEqual(3);
          for (const priority of priorities) {
            const isServed = headOf(priority) === undefined || served.includes(priority) || next.priority === priority;
            passedOver[priority] = isServed ? 0 : passedOver[priority] + 1;
            expect(passedOver[priority], `${priority} waits`).toBeLessThan(FAIR_TURNS);
          }
          takenItems.add(next);
          return true;
        };
        const add = ({ priority, isFence, of }: CallPlan) => {
          // A mutation is sent alone.
          const own = isFence ? of.slice(0, 1) : of;
          const item: Item = {
            ...{ at: all.length, priority, isFence, of: own, isAbandoned: false, place: 0 },
            callers: () => own.flatMap((caller) => callers[caller] ?? []),
          };
          all.push(item);
          order.add(item);
        };
        for (const each of steps) {
          if (each === 'take') take();
          else if ('flood' in each) {
            for (let turn = 0; turn < each.turns; turn++) {
              add({ priority: each.flood, isFence: false, of: [turn % 4] });
              take();
            }
          } else if ('leave' in each) {
            const left = all[each.leave];
            if (left) left.isAbandoned = true;
          } else {
            add(each.add);
          }
        }
        while (take());
      }),
      { numRuns: runs(10_000) },
    );
  });

  test('with one priority, it is the order in which they were asked for', () => {
    const same = fc.record({ isFence: fc.boolean(), caller: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(same, { maxLength: 30 }), fc.constantFrom(...priorities), (testCalls, priority) => {
        const order = new TurnOrder<Item>();
        const items = testCalls.map(({ isFence, caller }, at): Item => {
          const of = callers.slice(caller, caller + 1);
          return { at, priority, isFence, of: [caller], isAbandoned: false, place: 0, callers: () => of };
        });
        for (const item of items) order.add(item);
        expect(items.map(() => order.take())).toEqual(items);
      }),
      { numRuns: runs(1000) },
    );
  });
});

type Kind = 'query' | 'lone query' | 'mutation';
type QueueStep =
  | { readonly ask: { kind: Kind; priority: Priority; caller: number } }
  | { readonly answer: 'fine' | 'refused' }
  | { readonly leave: number };

const queueStep: fc.Arbitrary<QueueStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ask: fc.record({
        kind: fc.constantFrom<Kind>('query', 'query', 'query', 'lone query', 'mutation'),
        priority: somePriority,
        caller: fc.nat(3),
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ answer: fc.constantFrom('fine' as const, 'fine' as const, 'refused' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(30) }) },
);

type Answer = Pick<CallAnswer, 'data' | 'errors'>;

interface TestCall {
  readonly kind: Kind;
  readonly priority: Priority;
  readonly caller: number;
  readonly leaving: AbortController;
  sent: number;
  outcomes: number;
  isOver: boolean;
}

function callOf(
  { kind, priority, caller }: Omit<TestCall, 'leaving' | 'sent' | 'outcomes' | 'isOver'>,
  at: number,
): Call {
  const field = operations[kind === 'mutation' ? 'deleteGroup' : 'getVehicleById'];
  const { name, document } = field;
  const own = { name, document, variables: { id: at }, idempotent: false, priority, caller: callers[caller] };
  if (kind === 'mutation') return { ...own, kind };
  return { ...own, kind: 'query', field: kind === 'query' ? operations.getVehicleById : undefined };
}

describe('the queue of a user, for any schedule', () => {
  test('no call is lost, no read overtakes a change of its caller, and what is merged has one priority', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(queueStep, { maxLength: 40 }), fc.constantFrom(0, 2, 50), async (steps, max) => {
        const timers = new HandTimers();
        const testCalls: TestCall[] = [];
        const problems: unknown[] = [];
        let active: ((how: 'fine' | 'refused') => void) | null = null;
        const begin = (batch: MergedCalls, resolve: (answer: Answer) => void, reject: (error: unknown) => void) => {
          const calls = Object.values(batch.payload().variables).map(Number);
          // An exception here would only end these calls.
          try {
            check(testCalls, calls);
          } catch (problem) {
            problems.push(problem);
          }
          active = (how) => {
            active = null;
            const failure = { kind: 'status', status: 400, retryAfter: null, errors: [] } as const;
            if (how === 'refused') return reject(new FailedRequest(failure, 1, false, 0));
            const names = calls.length === 1 ? ['getVehicleById'] : calls.map((_, at) => `q${at}`);
            resolve({ data: Object.fromEntries(names.map((name, at) => [name, { id: calls[at] }])), errors: [] });
          };
        };
        const queue = makeQueue(
          (batch) =>
            new Promise((resolve, reject) => {
              if (active) problems.push('two at a time');
              // It has the turn and waits for a token: reads may still join.
              active = () => begin(batch, resolve, reject);
            }),
          timers,
          new Merging(max, timers, () => undefined),
        );
        const settled = () => new Promise((resolve) => setImmediate(resolve));
        for (const each of steps) {
          if ('ask' in each) {
            const one: TestCall = { ...each.ask, leaving: new AbortController(), sent: 0, outcomes: 0, isOver: false };
            const deadline = new CallDeadline(1e9, one.leaving.signal, timers);
            const over = () => {
              one.outcomes++;
              one.isOver = true;
            };
            queue.run(callOf(one, testCalls.length), deadline).then(over, over);
            testCalls.push(one);
          } else if ('leave' in each) {
            const one = testCalls[each.leave];
            if (one && !one.isOver) {
              one.isOver = true;
              one.leaving.abort();
            }
          } else {
            // Set by the queue meanwhile.
            (active as ((how: 'fine' | 'refused') => void) | null)?.(each.answer);
          }
          await settled();
        }
        for (let turns = 0; active !== null && turns < 400; turns++) {
          (active as (how: 'fine' | 'refused') => void)('fine');
          await settled();
        }
        expect(problems).toEqual([]);
        expect(testCalls.map(({ outcomes }) => outcomes)).toEqual(testCalls.map(() => 1));
        for (const { sent, kind } of testCalls) if (kind === 'mutation') expect(sent).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

/** Checks a request with these calls. */
function check(testCalls: readonly TestCall[], calls: readonly number[]): void {
  const inIt = calls.flatMap((at) => testCalls[at] ?? []);
  for (const one of inIt) one.sent++;
  expect(new Set(inIt.map(({ priority }) => priority)).size, 'one priority').toBe(1);
  if (inIt.length > 1) expect(inIt.map(({ kind }) => kind)).not.toContain('mutation');
  for (const at of calls) {
    const one = testCalls[at];
    const unsentBefore = testCalls
      .slice(0, at)
      .filter((other) => !other.isOver && other.sent === 0 && one && areInOrder(one.caller, other.caller));
    expect(
      unsentBefore.filter(({ kind }) => kind === 'mutation'),
      `a change before ${at}`,
    ).toEqual([]);
    if (one?.kind !== 'mutation') continue;
    const heldBack = unsentBefore.filter(({ priority }) => rank(priority) <= rank(one.priority));
    expect(heldBack, `reads before change ${at}`).toEqual([]);
  }
}
