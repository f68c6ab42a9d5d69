// The exact output of `fleet rules`.
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

describe('prints', () => {
  test('rules list', () => expectGolden('rules-list', ['rules', 'list']));
  test('rules get', () => expectGolden('rules-get', ['rules', 'get', 'Left the depot at night']));
  test('rules get, of an unknown rule', () =>
    expectGolden('rules-get.unknown', ['rules', 'get', 'Long idlng'], { code: 5 }));
});

test('a rule is found by its id, its name and a part of it', async () => {
  const fleet = shellOf('demo', service().fetch);
  const byName = Object(await jsonOf(fleet, 'rules', 'get', 'Long idling'));
  const part = await fleet(['rules', 'get', 'idling', '-o', 'json'], { terminal: 80 });
  expect(JSON.parse(part.stdout)).toEqual(byName);
  expect(await jsonOf(fleet, 'rules', 'get', byName.id)).toEqual(byName);
  expect((await fleet(['rules', 'get', 'the'], { terminal: 80 })).code).toBe(2);
});

test('rules can be filtered, with selected fields', async () => {
  const fleet = shellOf('demo', service().fetch);
  const off = await jsonOf(fleet, 'rules', 'list', '--filter', 'enabled=false', '--fields', 'name,ruleType');
  expect(off).toEqual([{ name: 'Cargo too warm', ruleType: 'TEMPERATURE' }]);
});
