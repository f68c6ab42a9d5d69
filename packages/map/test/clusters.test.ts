// Clusters, and the counts of the heat map.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clustersOf, markRadius, ringParts } from '../src/page/clusters.js';
import { passesOf } from '../src/page/passes.js';

/** Towns with vehicles around them, some at the same point. */
const fleets = fc.array(
  fc
    .tuple(fc.constantFrom(0.1, 0.5, 0.5001, 0.9), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
    .map(([town, x, y]) => ({ x: town + x / 1e5, y: town + y / 1e5 })),
  { maxLength: 120 },
);
const scales = fc.integer({ min: 9, max: 27 }).map((power) => 2 ** power);

describe('clusters', () => {
  test('every vehicle is in exactly one, and no mark covers another one', () => {
    fc.assert(
      fc.property(fleets, scales, (fleet, scale) => {
        const clusters = clustersOf(fleet, scale);
        const members = clusters.flatMap((cluster) => cluster.members);
        expect(members).toHaveLength(fleet.length);
        expect(new Set(members)).toEqual(new Set(fleet));
        for (const [index, one] of clusters.entries()) {
          for (const other of clusters.slice(index + 1)) {
            const reach = markRadius(one.members.length) + markRadius(other.members.length);
            expect(Math.hypot(one.x - other.x, one.y - other.y) * scale).toBeGreaterThan(reach - 1e-6);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('stand in the middle of their members, and come apart nearer', () => {
    const fleet = [
      { x: 0.5, y: 0.5 },
      { x: 0.5001, y: 0.5002 },
    ];
    expect(clustersOf(fleet, 1_000).map(({ x, y }) => [x.toFixed(5), y.toFixed(5)])).toEqual([['0.50005', '0.50010']]);
    expect(clustersOf(fleet, 1_000_000)).toHaveLength(2);
    expect(clustersOf([], 1_000)).toEqual([]);
  });

  test('have a ring in which each status can be seen', () => {
    expect(ringParts([5_000, 0, 1], 16)).toEqual([15, 0, 1]);
    expect(ringParts([1, 1, 1], 16)).toEqual([6, 5, 5]);
    const counts = fc.array(fc.nat(5_000), { minLength: 6, maxLength: 6 }).filter((all) => all.some((one) => one > 0));
    fc.assert(
      fc.property(counts, (all) => {
        const parts = ringParts(all, 16);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(16);
        expect(parts.map((part) => part > 0)).toEqual(all.map((count) => count > 0));
      }),
      { numRuns: 60 },
    );
  });
});

test('a heat map counts who drives through a cell, not how long somebody stands there', () => {
  const view = { scale: 1_000, left: 0, top: 0, width: 1_000, height: 1_000 };
  const standing = Array.from({ length: 50 }, () => [0.505, 0.505]).flat();
  const across = [0.105, 0.505, 0.905, 0.505];
  const passes = passesOf(
    [Float64Array.from([...across, 0.905, 0.105]), Float64Array.from([...across, ...standing])],
    view,
    10,
  );
  const at = (x: number, y: number) =>
    passes.counts[Math.floor((y - passes.top) / 10) * passes.columns + Math.floor((x - passes.left) / 10)];
  expect([at(305, 505), at(905, 305), at(305, 305)]).toEqual([2, 1, 0]);
  expect(passes.most).toBe(3);
  expect(passesOf([], view, 10).most).toBe(0);
});
