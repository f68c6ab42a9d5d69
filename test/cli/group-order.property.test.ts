// A file of groups: the moves of random trees are sent in an order that the service accepts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { service, shellOf } from './harness.js';

test('orders moves of groups so that each is possible, whatever the order of the lines', async () => {
  const trees = fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 6 })
    .chain((order) =>
      fc.tuple(fc.constant(order), fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 6, maxLength: 6 })),
    );
  /** Returns a tree in which each group is below an earlier one, or at the top. */
  const treeOf = ([order, picks]: readonly [readonly number[], readonly number[]]) =>
    order.map((n, index) => {
      const parent = order[(picks[index] ?? 0) % (index + 1)];
      return { name: `T${n}`, parentId: parent === n || parent === undefined ? null : `T${parent}` };
    });
  await fc.assert(
    fc.asyncProperty(trees, trees, fc.infiniteStream(fc.nat()), async (first, second, noise) => {
      const fleet = shellOf('demo', service().fetch);
      for (const tree of [treeOf(first), treeOf(second)]) {
        const lines = tree.map((line) => ({ line, key: noise.next().value ?? 0 }));
        const input = JSON.stringify(lines.sort((a, b) => a.key - b.key).map(({ line }) => line));
        const words = ['groups', 'apply', '-', '--input-format', 'json'];
        const { code, stderr } = await fleet([...words, '--yes'], { input });
        expect({ code, stderr }).toMatchObject({ code: 0 });
        expect((await fleet([...words, '--dry-run'], { input })).code).toBe(0);
      }
    }),
    { numRuns: runs(200) },
  );
});
