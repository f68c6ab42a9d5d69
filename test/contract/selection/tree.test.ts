// Selection trees: parsing the operation table, joining, testing for paths, picking from rows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultTree,
  hasPath,
  joinTrees,
  pick,
  type SelectionTree,
  treeOf,
} from '../../../src/contract/selection/tree.js';
import { operations } from '../../../src/generated/operation-table.js';

const name = fc.stringMatching(/^[a-z]\w{0,5}$/);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.'));

/** Paths without prefixes of each other, so that each is one plain value. */
const paths = fc
  .uniqueArray(path, { maxLength: 8 })
  .map((all) => all.filter((one) => !all.some((other) => other.startsWith(`${one}.`))));

function leavesOf(tree: SelectionTree, before = ''): string[] {
  return Object.entries(tree).flatMap(([field, below]) =>
    below === true ? [`${before}${field}`] : leavesOf(below, `${before}${field}.`),
  );
}

describe('the default selection as a tree', () => {
  test('is read from the text of the operation, fragments and all', () => {
    const tree = defaultTree(operations.getVehicles);
    expect(tree).toMatchObject({ id: true, assignedGroups: { id: true, name: true }, customFields: { name: true } });
    expect(hasPath(tree, 'lastData.gps.speed')).toBe(true);
    expect(hasPath(tree, 'latestData')).toBe(false);
  });

  test('is empty for an operation that returns plain values', () => {
    expect(defaultTree(operations.deleteGroup)).toEqual({});
    expect(defaultTree(operations.changeVehiclesGroup)).toEqual({});
  });

  test.each(Object.values(operations).map((operation) => [operation.name, operation] as const))(
    'of %s holds what its text holds',
    (_, operation) => {
      const words = new Set(leavesOf(defaultTree(operation)).flatMap((leaf) => leaf.split('.')));
      for (const word of operation.selection.replace(/\.\.\.\w+/g, '').match(/\w+/g) ?? [])
        expect(words).toContain(word);
    },
  );
});

describe('trees', () => {
  test('of paths have these plain values and no others', () => {
    fc.assert(
      fc.property(paths, (all) => {
        expect(leavesOf(treeOf(all)).sort()).toEqual([...all].sort());
      }),
    );
  });

  test('have every path, and every beginning of one', () => {
    fc.assert(
      fc.property(paths, (all) => {
        const tree = treeOf(all);
        for (const one of all) {
          const steps = one.split('.');
          for (let end = 1; end <= steps.length; end++) expect(hasPath(tree, steps.slice(0, end).join('.'))).toBe(true);
          expect(hasPath(tree, `${one}.more`)).toBe(false);
        }
      }),
    );
  });

  test('joined have what each had, in whichever order', () => {
    fc.assert(
      fc.property(paths, fc.nat(8), (all, cut) => {
        const [one, other] = [treeOf(all.slice(0, cut)), treeOf(all.slice(cut))];
        expect(joinTrees(one, other)).toEqual(treeOf(all));
        expect(joinTrees(other, one)).toEqual(treeOf(all));
        expect(joinTrees(one, one)).toEqual(one);
      }),
    );
  });

  test('have nothing that objects have by birth', () => {
    expect(hasPath({}, 'constructor')).toBe(false);
    expect(pick({}, treeOf(['toString']))).toEqual({});
  });
});

describe('picking', () => {
  test('leaves only what the tree names, of every member of a list', () => {
    const row = { id: 1, name: 'a', groups: [{ id: 2, name: 'b' }, null], gps: null };
    expect(pick(row, { groups: { name: true }, gps: { speed: true }, missing: true })).toEqual({
      groups: [{ name: 'b' }, null],
      gps: null,
    });
  });

  test('gives the fields in the order of the tree', () => {
    expect(Object.keys(Object(pick({ a: 1, b: 2 }, { b: true, a: true })))).toEqual(['b', 'a']);
  });

  test('everything leaves the row as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(pick(value, true)).toEqual(value);
      }),
    );
  });
});
