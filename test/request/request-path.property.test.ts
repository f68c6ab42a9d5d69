// Any calls in any order with any faults: every caller gets exactly one outcome, by its deadline.
// Mutations run in order and once. Reads see all earlier mutations and no later ones, and a user
// never has two active requests. Tests the whole request path of two clients that share a login, in
// simulated time.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryTokenStore } from '../../src/auth/memory-token-store.js';
import { FleetError } from '../../src/core/errors.js';
import type { WarningEvent } from '../../src/core/hooks.js';
import { operations } from '../../src/generated/operation-table.js';
import { localGate } from '../../src/locks/gate.js';
import type { Call, CallAnswer } from '../../src/request/call.js';
import { runs } from '../runs.js';
import { HandTimers } from './hand-timers.js';
import { makePipeline, sendFor } from './inner.js';
import { type Fault, faults, type LoginFault, loginFaults, type Plan, SimulatedService } from './simulation.js';

type Kind = 'query' | 'lone query' | 'mutation' | 'idempotent mutation';

interface Step {
  readonly kind: Kind;
  readonly client: 0 | 1;
  /** Few values, so that equal ones occur. */
  readonly id: number;
  /** Milliseconds after the previous one; null: same microtask. */
  readonly after: number | null;
  readonly leavesAfter: number | null;
  readonly timeoutMs: number;
  /** Jump of the clock before it: past the lifetime of a token or session, or back. */
  readonly clockJump: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind>('query', 'query', 'query', 'query', 'lone query', 'mutation', 'idempotent mutation'),
  client: fc.constantFrom(0, 0, 0, 1),
  id: fc.nat(4),
  after: fc.constantFrom(null, null, null, 0, 5, 30, 6000),
  leavesAfter: fc.option(fc.oneof(fc.nat(200), fc.nat(10_000)), { freq: 3 }),
  timeoutMs: fc.constantFrom(60_000, 60_000, 60_000, 2000, 50, 10),
  clockJump: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 250_000, 301_000, 13 * 3_600_000, -3_600_000),
});
const plan = fc.record({
  faults: fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant<Fault>('none') },
      { weight: 2, arbitrary: fc.constantFrom<Fault>(...faults) },
    ),
    { maxLength: 14 },
  ),
  logins: fc.array(fc.constantFrom<LoginFault>(...loginFaults), { maxLength: 4 }),
  connectMs: fc.array(fc.constantFrom(0, 0, 0, 3, 15, 60, 3000), { maxLength: 14 }),
});

interface Outcome {
  readonly at: number;
  readonly order: number;
  readonly value: CallAnswer | Error;
}

function callOf({ kind, id }: Step, at: number): Call {
  const idempotent = kind === 'idempotent mutation';
  if (kind === 'mutation' || idempotent) {
    const { document } = operations.createGroup;
    return { name: 'createGroup', kind: 'mutation', document, variables: { createGroupInput: { at } }, idempotent };
  }
  const field = operations.getVehicleById;
  const call = {
    name: field.name,
    kind: 'query',
    document: field.document,
    variables: { id: `v${id}` },
    idempotent,
  } as const;
  return kind === 'query' ? { ...call, field } : call;
}

async function play(steps: readonly Step[], planned: Plan, mergeMax: number) {
  const time = new HandTimers();
  let jumped = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => time.now() + jumped };
  let order = 0;
  const lastSent = new Map<number, number>();
  const service = new SimulatedService(time, clock, planned, (body) => {
    const change: unknown = body.startsWith('{') ? JSON.parse(body).variables.createGroupInput?.at : undefined;
    if (typeof change === 'number') lastSent.set(change, ++order);
  });
  const store = memoryTokenStore();
  const gate = localGate();
  const warnings: string[] = [];
  const world = { http: service, timers: time, clock, store, gate, mergeMax };
  const retry = { baseDelayMs: 10, maxDelayMs: 20 };
  const hooks = { onWarning: ({ code }: WarningEvent) => void warnings.push(code) };
  const pipelines = [makePipeline({ ...world, retry, hooks }), makePipeline({ ...world, retry, hooks })] as const;
  const outcomes: Outcome[][] = steps.map(() => []);
  const overAt: number[] = [];
  for (const [at, each] of steps.entries()) {
    if (each.after !== null) await time.pass(each.after);
    jumped += each.clockJump;
    const leaving = new AbortController();
    overAt.push(time.now() + Math.min(each.timeoutMs, each.leavesAfter ?? Number.POSITIVE_INFINITY));
    const settle = (value: CallAnswer | Error) => void outcomes[at]?.push({ at: time.now(), order: ++order, value });
    const waiting = { timeoutMs: each.timeoutMs, signal: leaving.signal };
    sendFor(pipelines[each.client], 'user', callOf(each, at), waiting).then(settle, settle);
    if (each.leavesAfter !== null) time.after(each.leavesAfter, () => leaving.abort());
  }
  await time.passUntil(() => outcomes.every(({ length }) => length > 0));
  // Time for leftover work to fail or end; a deadline that was not cancelled stays pending.
  await time.pass(45_000);
  for (const pipeline of pipelines) await pipeline.close();
  const storedSession = await store.load('http://service.test demo');
  return { service, outcomes, overAt, warnings, lastSent, pending: time.pending, kept: storedSession };
}

describe('for any calls in any order, with any faults', () => {
  test('each caller has one outcome in time, mutations run in order and at most once, later reads see them, one request at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 16 }),
        plan,
        fc.constantFrom(0, 1, 3, 50, 50),
        async (steps, planned, max) => {
          const {
            service,
            outcomes,
            overAt,
            warnings,
            lastSent,
            pending,
            kept: storedSession,
          } = await play(steps, planned, max);
          expect(outcomes.map(({ length }) => length)).toEqual(steps.map(() => 1));
          for (const [at, [outcome]] of outcomes.entries()) {
            expect(outcome?.at, `caller ${at} is told when it leaves`).toBeLessThanOrEqual(overAt[at] ?? 0);
          }
          for (const [change, order] of lastSent) {
            expect(order, `${change} left before its caller was told`).toBeLessThan(outcomes[change]?.[0]?.order ?? 0);
          }
          expect(pending).toBe(0);
          if (service.lostTokens === 0) {
            expect(service.spentTokens, 'no spent token is used').toBe(0);
            expect(storedSession?.refreshToken ?? null, 'the newest refresh token is kept, whoever left').toBe(
              service.refreshToken,
            );
          }
          expect(service.mostFields).toBeLessThanOrEqual(Math.max(1, max));
          expect(warnings.filter((code) => code === 'MERGING_STOPPED').length).toBeLessThanOrEqual(max === 0 ? 0 : 2);
          expect(service.mostOnWire).toBeLessThanOrEqual(1);
          // Overlaps are allowed only after a client has disconnected from a slow request.
          if (service.hungUp === 0) expect(service.overlaps).toBe(0);
          for (const client of [0, 1]) {
            const own = service.changes.filter((change) => steps[change]?.client === client);
            const once = own.filter((change, place) => steps[change]?.kind === 'mutation' || own[place - 1] !== change);
            expect(once, 'in order, and once').toEqual([...new Set(own)].sort((a, b) => a - b));
          }
          for (const [at, [outcome]] of outcomes.entries()) check(steps, at, outcome?.value, service.changes);
        },
      ),
      // In full about 30,000 calls.
      { numRuns: runs(4_000) },
    );
  });
});

function check(
  steps: readonly Step[],
  at: number,
  outcome: CallAnswer | Error | undefined,
  changes: readonly number[],
): void {
  const { kind, id, client } = steps[at] ?? { kind: 'query', id: 0, client: 0 };
  const isChange = kind === 'mutation' || kind === 'idempotent mutation';
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(FleetError);
    // Any other error guarantees that nothing was changed.
    const code: unknown = Reflect.get(outcome, 'code');
    if (isChange && code !== 'AMBIGUOUS_MUTATION') expect(changes, `${at}: ${String(code)}`).not.toContain(at);
    return;
  }
  if (isChange) {
    expect(changes).toContain(at);
    return;
  }
  const row: unknown = Object.values(Object(outcome?.data))[0];
  if (!row) {
    expect(outcome?.errors).not.toHaveLength(0);
    return;
  }
  const seen = row as { readonly id: string; readonly changes: readonly number[] };
  expect(seen.id).toBe(`v${id}`);
  const ofClient = (change: number) => steps[change]?.client === client;
  const own = seen.changes.filter(ofClient);
  const before = changes.filter((change) => ofClient(change) && change < at);
  // All earlier mutations that ran, and no later one.
  expect(own, `read ${at}`).toEqual(before);
}
