// The exact output of `fleet schedules`.
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

describe('prints', () => {
  test('schedules list', () => expectGolden('schedules-list', ['schedules', 'list']));
  test('schedules get', () => expectGolden('schedules-get', ['schedules', 'get', 'Two shifts']));
  test('schedules get, of an unknown schedule', () =>
    expectGolden('schedules-get.unknown', ['schedules', 'get', 'Ofice hours'], { code: 5 }));
});

test('a schedule is found by its id, its name and a part of it', async () => {
  const fleet = shellOf('demo', service().fetch);
  const byName = Object(await jsonOf(fleet, 'schedules', 'get', 'Office hours'));
  const part = await fleet(['schedules', 'get', 'office', '-o', 'json'], { terminal: 80 });
  expect(JSON.parse(part.stdout)).toEqual(byName);
  expect(await jsonOf(fleet, 'schedules', 'get', byName.id)).toEqual(byName);
});

test('periods in other forms', async () => {
  const { fetch } = service();
  const schedule = (name: string, periods: unknown) => ({ id: name, name, periods });
  const schedules = [
    schedule('none', null),
    schedule('numbers', [{ weekday: 1, begin: '08:00', duration: 30 }]),
    schedule('gaps', [
      { weekday: 'MONDAY', begin: '08:00', duration: 30 },
      null,
      { weekday: 'WEDNESDAY', begin: '08:00', duration: 30 },
      { weekday: 'FRIDAY', begin: null, duration: null },
      { weekday: 'SATURDAY', begin: null, duration: null },
      { weekday: 'SUNDAY', begin: null, duration: null },
    ]),
  ];
  const fleet = shellOf('demo', (url, init) =>
    /getWorkSchedules\b/.test(String(init.body ?? ''))
      ? Promise.resolve(Response.json({ data: { getWorkSchedules: schedules } }))
      : fetch(url, init),
  );
  const { stdout } = await fleet(['schedules', 'list', '-o', 'table']);
  expect(stdout.split('\n').slice(1, 4)).toEqual([
    'none                                                    none',
    'numbers  1 08:00 for 30 (if in minutes)                 numbers',
    'gaps     Mon Wed 08:00 for 30 (if in minutes); Fri-Sun  gaps',
  ]);
});
