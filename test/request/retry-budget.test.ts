// The rules of the retry budget that tests of whole requests do not show.
import { expect, test } from 'vitest';
import { CallDeadline } from '../../src/core/deadline.js';
import { RetryBudget } from '../../src/request/retry.js';
import { HandTimers } from './hand-timers.js';

test('a repeat that is granted to a caller who has just left goes to the next one', async () => {
  const timers = new HandTimers();
  const budget = new RetryBudget(timers);
  const stays = () => new CallDeadline(Number.POSITIVE_INFINITY, undefined, timers);
  for (let number = 0; number < 30; number++) await budget.take(stays());
  const leaving = new AbortController();
  const left = budget.take(new CallDeadline(60_000, leaving.signal, timers)).catch(() => 'left');
  leaving.abort();
  budget.succeeded();
  expect(await left).toBe('left');
  let isGranted = false;
  const next = budget.take(stays()).then(() => {
    isGranted = true;
  });
  await timers.pass(0);
  expect(isGranted).toBe(true);
  await next;
});
