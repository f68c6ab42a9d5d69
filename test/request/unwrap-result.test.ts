// From an answer to the caller's result, with the warnings about missing data.
import { expect, test } from 'vitest';
import { notifierFor, type WarningEvent } from '../../src/core/hooks.js';
import { unwrapResult, unwrapRows } from '../../src/request/unwrap-result.js';

const warnings: WarningEvent[] = [];
const report = notifierFor({ onWarning: (event) => warnings.push(event) });
const answer = (rows: unknown, ...paths: readonly (readonly (string | number)[] | undefined)[]) => ({
  data: { rows },
  errors: paths.map((path) => ({ message: 'boom', ...(path && { path }) })),
  attempts: 1,
});
const list = { name: 'rows', list: true };

test.each([[['rows']], [['rows', 0, 'id']], [undefined]])(
  'a root field that is null because of an error at %j fails, whatever the caller accepts',
  (path) => {
    for (const operation of [list, { name: 'rows', list: false }]) {
      expect(() => unwrapResult(operation, answer(null, path), true, report)).toThrow('with a GraphQL error');
    }
    expect(unwrapResult(list, answer([{ id: null }], path), true, report)).toEqual([{ id: null }]);
  },
);

test.each([false, null])('takes %j as a failure of assignDriver and as a success of deleteGroup', (value) => {
  const of = (name: string) => ({ data: { [name]: value }, errors: [], attempts: 1 });
  const read = (name: string) => unwrapResult({ name, list: false }, of(name), false, report);
  expect(() => read('assignDriver')).toThrow('The answer to assignDriver is not true');
  expect(read('deleteGroup')).toBe(value);
});

test('a null list without an error is empty and reported, and fails a reader of its rows', () => {
  warnings.length = 0;
  expect(unwrapResult(list, answer(null), false, report)).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(['NULL_LIST']);
  expect(() => unwrapRows('rows', answer(null), true, report)).toThrow('left the list out');
  expect(unwrapRows('rows', answer([1, null]), false, report)).toEqual([1]);
  expect(warnings.map(({ code }) => code)).toEqual(['NULL_LIST', 'NULL_ROWS']);
});
