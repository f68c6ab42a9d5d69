// A batch is written while the next one is read.
import { expect, test } from 'vitest';
import { type SyncOptions, type SyncTarget, SyncTargetError, sqliteTarget, sync } from '../../src/sync/index.js';
import type { Batch } from '../../src/sync/target.js';
import { makeClient, makeService, rejection, START } from '../request/setup.js';
import { contentOf, tempFile } from './copies.js';

const options: SyncOptions = { since: new Date(START - 3 * 3_600_000), parts: ['snapshots'] };
const vehicles = 12;

/** A copy whose batches of snapshots are written when `write` says so. */
function targetWith(target: SyncTarget, write: (batch: Batch, done: () => Promise<void>) => Promise<void>): SyncTarget {
  return {
    ...target,
    async open() {
      const open = await target.open();
      return {
        cursors: () => open.cursors(),
        read: (...of) => open.read(...of),
        close: () => open.close(),
        async apply(batch) {
          let result = { written: 0, deleted: 0 };
          const isOfSnapshots = batch.steps.some((step) => 'table' in step && step.table === 'snapshots');
          const done = async () => {
            result = await open.apply(batch);
          };
          await (isOfSnapshots ? write(batch, done) : done());
          return result;
        },
      };
    },
  };
}

test('the next rows are asked for meanwhile, one batch at a time, in their order', async () => {
  const service = makeService({ vehicles });
  let onRequest = () => {};
  const requested = () =>
    new Promise<void>((resolve) => {
      onRequest = resolve;
    });
  let [writing, most, batches] = [0, 0, 0];
  const inner = sqliteTarget(tempFile());
  const target = targetWith(inner, async (_batch, done) => {
    most = Math.max(most, ++writing);
    // The service has more to tell after the first batch, and is asked for it before that is written.
    if (batches++ === 0) await requested();
    await done();
    writing--;
  });
  const fetch: typeof service.fetch = (url, init) => {
    if (String(init?.body).includes('getSnapshots')) onRequest();
    return service.fetch(url, init);
  };
  await sync(makeClient(service, { fetch }), target, options);
  expect(batches).toBeGreaterThan(1);
  expect(most).toBe(1);
  const plain = sqliteTarget(tempFile());
  await sync(makeClient(service), plain, options);
  expect(await contentOf(inner)).toEqual(await contentOf(plain));
});

test('after a batch that could not be written there is no other, and the copy is closed when nothing is being written', async () => {
  const service = makeService({ vehicles });
  const told: string[] = [];
  const inner = sqliteTarget(tempFile());
  const target = targetWith(
    {
      ...inner,
      async open() {
        const open = await inner.open();
        return {
          ...{ cursors: () => open.cursors(), apply: (batch) => open.apply(batch) },
          read: (...of) => open.read(...of),
          close() {
            told.push('closed');
            return open.close();
          },
        };
      },
    },
    async () => {
      told.push('refused');
      throw new SyncTargetError('FULL', 'The disk is full.', 'Make room.');
    },
  );
  expect(await rejection(sync(makeClient(service), target, options))).toMatchObject({ reason: 'FULL' });
  expect(told).toEqual(['refused', 'closed']);
});
