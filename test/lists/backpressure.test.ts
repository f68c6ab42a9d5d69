// Backpressure on a response, with manual timers.
import { expect, test } from 'vitest';
import { Backpressure } from '../../src/lists/stream-list.js';
import { HandTimers } from '../request/hand-timers.js';

const MiB = 1024 * 1024;

function follow(held: Promise<void> | undefined): { readonly isOver: () => boolean } {
  let isOver = held === undefined;
  void held?.then(() => {
    isOver = true;
  });
  return { isOver: () => isOver };
}

test('holds back above 4 MiB, until half of that has been read', async () => {
  const timers = new HandTimers();
  const pace = new Backpressure(timers);
  expect(pace.pauseIfNeeded(4 * MiB)).toBeUndefined();
  const held = pace.pauseIfNeeded(4 * MiB + 1);
  expect(pace.pauseIfNeeded(5 * MiB)).toBe(held);
  const { isOver } = follow(held);
  pace.read(3 * MiB);
  await timers.pass(0);
  expect(isOver()).toBe(false);
  pace.read(2 * MiB);
  await timers.pass(0);
  expect(isOver()).toBe(true);
});

test('holds back for 5 seconds in all, and never again', async () => {
  const timers = new HandTimers();
  const pace = new Backpressure(timers);
  pace.pauseIfNeeded(5 * MiB);
  await timers.pass(3_000);
  pace.read(0);
  await timers.pass(60_000);
  const { isOver } = follow(pace.pauseIfNeeded(5 * MiB));
  await timers.pass(1_999);
  expect(isOver()).toBe(false);
  await timers.pass(1);
  expect(isOver()).toBe(true);
  expect(pace.pauseIfNeeded(99 * MiB)).toBeUndefined();
});

test('ends at once when somebody waits', async () => {
  const timers = new HandTimers();
  const pace = new Backpressure(timers);
  const { isOver } = follow(pace.pauseIfNeeded(5 * MiB));
  pace.stopPausing();
  await timers.pass(0);
  expect(isOver()).toBe(true);
  expect(pace.pauseIfNeeded(5 * MiB)).toBeUndefined();
});
