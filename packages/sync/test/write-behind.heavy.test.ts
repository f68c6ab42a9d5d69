// Tests that a batch is written while the next one is read.
import { expect, test } from 'vitest';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { type SyncOptions, SyncTargetError, sqliteTarget, syncFleet } from '../src/index.js';
import type { Batch } from '../src/target.js';
import { contentOf, tempFile } from './copies.js';
import { targetWith } from './target-with.js';

const options: SyncOptions = { since: new Date(START - 3 * 3_600_000), parts: ['snapshots'] };
const vehicles = 12;

/** Returns true for batches that are written behind. */
const hasSnapshots = ({ steps }: Batch) => steps.some((step) => 'table' in step && step.table === 'snapshots');

test('the next rows are asked for meanwhile, one batch at a time, in their order', async () => {
  const service = makeService({ vehicles });
  let onRequest = () => {};
  const requested = () =>
    new Promise<void>((resolve) => {
      onRequest = resolve;
    });
  let [writing, most, batches] = [0, 0, 0];
  const inner = sqliteTarget(tempFile());
  const target = targetWith(inner, (open) => ({
    async apply(batch) {
      if (!hasSnapshots(batch)) return open.apply(batch);
      most = Math.max(most, ++writing);
      // The service has more rows after the first batch, which are requested before its write.
      if (batches++ === 0) await requested();
      const done = await open.apply(batch);
      writing--;
      return done;
    },
  }));
  const fetch: typeof service.fetch = (url, init) => {
    if (String(init?.body).includes('getSnapshots')) onRequest();
    return service.fetch(url, init);
  };
  await syncFleet(makeClient(service, { fetch }), target, options);
  expect(batches).toBeGreaterThan(1);
  expect(most).toBe(1);
  const plain = sqliteTarget(tempFile());
  await syncFleet(makeClient(service), plain, options);
  expect(await contentOf(inner)).toEqual(await contentOf(plain));
});

test('after a batch that could not be written there is no other, and the copy is closed when nothing is being written', async () => {
  const service = makeService({ vehicles });
  const calls: string[] = [];
  const inner = sqliteTarget(tempFile());
  const target = targetWith(inner, (open) => ({
    async apply(batch) {
      if (!hasSnapshots(batch)) return open.apply(batch);
      calls.push('refused');
      throw new SyncTargetError('FULL', 'The disk is full.', 'Make room.');
    },
    close() {
      calls.push('closed');
      return open.close();
    },
  }));
  expect(await rejection(syncFleet(makeClient(service), target, options))).toMatchObject({ reason: 'FULL' });
  expect(calls).toEqual(['refused', 'closed']);
});
