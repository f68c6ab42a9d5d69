import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withTimeLimit } from '../../src/core/time-limit.js';
import { HandTimers } from '../cli/hand-timers.js';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('the time ends the work with a TimeoutError', async () => {
  const timers = new HandTimers(0);
  const work = withTimeLimit(new AbortController().signal, 5_000, untilAborted, timers);
  timers.advance(5_000);
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
});

test.each(['before', 'during'])('the signal of the caller ends it, with its reason: %s', async (when) => {
  const caller = new AbortController();
  if (when === 'before') caller.abort('ended');
  const work = withTimeLimit(caller.signal, 5_000, async (signal) => signal.aborted || untilAborted(signal));
  caller.abort('ended');
  if (when === 'before') expect(await work).toBe(true);
  else await expect(work).rejects.toBe('ended');
});

test('no timer is left behind', async () => {
  const timers = new HandTimers(0);
  expect(await withTimeLimit(new AbortController().signal, 5_000, async () => 'done', timers)).toBe('done');
  expect(timers.next).toBeNull();
});

test('the real timer fires after a garbage collection, which AbortSignal.any with AbortSignal.timeout does not on Node 20', async () => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  const work = withTimeLimit(new AbortController().signal, 50, untilAborted);
  // A WeakRef keeps its target until the end of the job.
  await new Promise(setImmediate);
  gc();
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
});
