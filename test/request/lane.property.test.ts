// Whatever comes in whatever order, and whatever goes wrong: every caller has exactly one outcome, changes are made in order and
// once, reads see the changes asked for before them, and the user has never two requests active. In time moved by hand.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FleetError } from '../../src/errors.js';
import { operations } from '../../src/generated/operation-table.js';
import { attempt } from '../../src/request/attempt.js';
import type { Call } from '../../src/request/batch.js';
import type { Failure } from '../../src/request/failure.js';
import { Lane } from '../../src/request/lane.js';
import { Patience, PatienceOver } from '../../src/request/patience.js';
import { retryRule } from '../../src/request/repeat.js';
import { handTimers } from './setup.js';

type Fault = 'none' | '429' | '503' | 'reset' | 'cut' | '500' | '400' | 'data: null' | 'no path' | 'field error';

interface Step {
  readonly kind: 'query' | 'mutation' | 'lone query';
  /** Among few, so that identical ones meet. */
  readonly id: number;
  /** Milliseconds after the one before. */
  readonly after: number;
  readonly leavesAfter: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('query', 'query', 'query', 'mutation', 'lone query'),
  id: fc.nat(4),
  after: fc.constantFrom(0, 0, 0, 5, 30),
  leavesAfter: fc.option(fc.nat(200), { freq: 4 }),
});
const fault: fc.Arbitrary<Fault> = fc.constantFrom(
  'none',
  'none',
  'none',
  '429',
  '503',
  'reset',
  'cut',
  '500',
  '400',
  'data: null',
  'no path',
  'field error',
);

/** A service that counts changes, and knows only as much of GraphQL as merged documents need. */
class Service {
  active = 0;
  mostActive = 0;
  readonly changes: number[] = [];
  readonly #faults: Fault[];

  constructor(faults: readonly Fault[]) {
    this.#faults = [...faults];
  }

  /** Runs a document; what the client sees of it. */
  run(
    call: Call,
    document: string,
    variables: object,
  ): { failure: Failure } | { value: { data: unknown; errors: [] } } {
    const fault = this.#faults.shift() ?? 'none';
    const status = { '429': 429, '503': 503, '500': 500, '400': 400 }[fault as string];
    if (status !== undefined) return { failure: { what: 'status', status, retryAfter: null, errors: [] } };
    if (call.kind === 'mutation') this.changes.push(Number(Object.values(variables)[0]));
    if (fault === 'reset') return { failure: { what: 'broken', cause: null } };
    if (fault === 'cut') return { failure: { what: 'cut' } };
    const aliases = [...document.matchAll(/^(q\d+): getVehicleById/gm)].map(([, alias]) => alias ?? '');
    const names = aliases.length > 0 ? aliases : [call.name];
    const ids: unknown[] = Object.values(variables);
    const data: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) data[name] = { id: ids[at], changes: [...this.changes] };
    const [first = ''] = names;
    const error = { message: 'x', path: [first] };
    if (fault === 'field error') data[first] = null;
    const errors =
      { 'data: null': [error], 'no path': [{ message: 'x' }], 'field error': [error] }[fault as string] ?? [];
    // The shape is that of an answer with and without errors alike.
    return { value: { data: fault === 'data: null' ? null : data, errors: errors as [] } };
  }
}

function callOf({ kind, id }: Step, at: number): Call {
  if (kind === 'mutation') return { name: 'change', kind, document: 'mutation', variables: { at }, idempotent: false };
  const field = kind === 'query' ? operations.getVehicleById : undefined;
  const document = operations.getVehicleById.document;
  return { name: 'getVehicleById', kind: 'query', document, variables: { id: `v${id}` }, idempotent: false, field };
}

async function play(steps: readonly Step[], faults: readonly Fault[], max: number) {
  const timers = handTimers();
  const service = new Service(faults);
  const outcomes: unknown[][] = steps.map(() => []);
  let refused = 0;
  const lane = new Lane(
    async (call, { patience, progress, load, giveUp, pauseLane }) => {
      const answer = await attempt(
        { kind: call.kind, idempotent: false },
        {
          async send(_number, leaving) {
            if (patience.reason !== null) throw new PatienceOver(patience.reason);
            const { document, variables } = load();
            leaving();
            service.mostActive = Math.max(service.mostActive, ++service.active);
            const sent = service.run(call, document, variables);
            await new Promise<void>((resolve) => {
              timers.after(20, resolve);
              giveUp.addEventListener('abort', resolve);
            });
            service.active--;
            return sent;
          },
          replaceToken: async () => undefined,
          onPause: (failure, ms) => {
            if (failure.what === 'status' && failure.status === 429) pauseLane(ms);
          },
          patience,
          progress,
          rule: retryRule({ baseDelayMs: 10, maxDelayMs: 20 }),
          random: () => 0.5,
          wallClock: () => timers.now(),
        },
      );
      return answer;
    },
    timers,
    { max, onRefused: () => refused++ },
  );
  for (const [at, each] of steps.entries()) {
    if (each.after > 0) await timers.pass(each.after);
    const leaving = new AbortController();
    const patience = new Patience(100_000, leaving.signal, timers);
    // Everything changed by calls asked for before, as far as they had been answered by the time of the question or are before it.
    lane.run(callOf(each, at), patience).then(
      ({ data, errors }) => outcomes[at]?.push({ data, errors }),
      (error: unknown) => outcomes[at]?.push(error),
    );
    if (each.leavesAfter !== null) timers.after(each.leavesAfter, () => leaving.abort());
  }
  for (let i = 0; i < 4000 && outcomes.some(({ length }) => length === 0); i++) await timers.pass(10);
  await timers.pass(10_000);
  return { service, outcomes, refused };
}

describe('for any calls in any order, with any faults', () => {
  test('each caller has one outcome, mutations run in order and at most once, later reads see them, one request at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 14 }),
        fc.array(fault, { maxLength: 12 }),
        fc.constantFrom(0, 1, 3, 50),
        async (steps, faults, max) => {
          const { service, outcomes, refused } = await play(steps, faults, max);
          expect(outcomes.map(({ length }) => length)).toEqual(steps.map(() => 1));
          expect(service.mostActive).toBeLessThanOrEqual(1);
          expect(service.active).toBe(0);
          expect(refused).toBeLessThanOrEqual(1);
          expect(service.changes).toEqual([...new Set(service.changes)].sort((a, b) => a - b));
          for (const [at, [outcome]] of outcomes.entries()) {
            const { kind, id } = steps[at] ?? { kind: 'query', id: 0 };
            if (outcome instanceof Error) {
              expect(outcome).toBeInstanceOf(FleetError);
              continue;
            }
            if (kind === 'mutation') expect(service.changes).toContain(at);
            const row: unknown = Object.values(Object(Reflect.get(Object(outcome), 'data')))[0];
            if (kind === 'mutation' || !row) continue;
            const { id: got, changes } = row as { id: string; changes: number[] };
            expect(got).toBe(`v${id}`);
            const before = service.changes.filter((change) => change < at);
            expect(changes.filter((change) => change < at)).toEqual(before);
            // Nothing that was asked for later overtakes a read.
            expect(changes.every((change) => change < at)).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
