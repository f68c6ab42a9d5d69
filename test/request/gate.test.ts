// Gates: one holder per key, first come first served, released only when the task has settled.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileGate, type Gate, localGate } from '../../src/index.js';
import { byHand, rejection } from './setup.js';

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
    const first = byHand();
    const held = gate.hold('a', () => first.promise);
    expect(await gate.hold('b', async () => 'b')).toBe('b');
    first.resolve();
    await held;
  });

  test('an abort ends the wait before the task, and not the hold during it', async () => {
    const gate = make();
    const running = new AbortController();
    const waiting = new AbortController();
    const work = byHand<string>();
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
