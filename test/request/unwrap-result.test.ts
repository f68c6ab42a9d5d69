// From an answer to what the caller gets, and what is said about what is missing.
import { expect, test } from 'vitest';
import { notifierFor, type WarningEvent } from '../../src/core/hooks.js';
import { unwrapResult } from '../../src/request/unwrap-result.js';

test('a null list is reported as missing only where no error says why', () => {
  const warnings: WarningEvent[] = [];
  const report = notifierFor({ onWarning: (event) => warnings.push(event) });
  const answer = (path: string[]) => ({
    data: { rows: null, other: 1 },
    errors: [{ message: 'boom', path }],
    attempts: 1,
  });
  const operation = { name: 'rows', list: true };
  expect(unwrapResult(operation, answer(['rows']), true, report)).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(['PARTIAL_DATA']);
  expect(unwrapResult(operation, answer(['other']), true, report)).toEqual([]);
  expect(warnings.map(({ code }) => code)).toEqual(['PARTIAL_DATA', 'PARTIAL_DATA', 'NULL_LIST']);
});
