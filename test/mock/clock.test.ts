// The clock and all returned times stay within the range of RFC 3339.
import { expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';
import { answerOf, caller, frozenService } from './caller.js';

const first = '0001-01-01T00:00:00.000Z';
const last = '9999-12-31T23:59:59.999Z';

test('set and advance are refused outside the years 0001 to 9999, and the clock stays where it was', () => {
  const { clock } = frozenService();
  const before = clock.now();
  for (const wrong of [
    Date.parse(last) + 1,
    Date.parse(first) - 1,
    8.64e15,
    new Date(8.64e15),
    '+010000-01-01T00:00:00Z',
  ]) {
    expect(() => clock.set(wrong)).toThrow(RangeError);
  }
  expect(() => clock.advance(8e15)).toThrow('from 0001-01-01T00:00:00Z to 9999-12-31');
  expect(() => clock.advance(-8e15)).toThrow(RangeError);
  expect(clock.now()).toBe(before);
  clock.set(last);
  expect(() => clock.advance(1)).toThrow(RangeError);
  expect(clock.now()).toBe(Date.parse(last));
});

test('over HTTP that is 400', async () => {
  const service = frozenService();
  const control = async (body: object) =>
    answerOf(await service.fetch('http://mock.test/__mock/clock', { method: 'POST', body: JSON.stringify(body) }));
  for (const wrong of [
    { advance: 8e15 },
    { advance: -8e15 },
    { set: '9999-12-31T23:59:59-01:00' },
    { set: '0000-12-31T23:59:59Z' },
  ]) {
    expect((await control(wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
  for (const right of [first, last]) {
    expect(JSON.parse((await control({ set: right })).text)).toEqual({ now: right });
  }
});

test.each([first, last])('the service answers at %s', async (time) => {
  const service = frozenService();
  service.clock.set(time);
  const demo = await caller(service.fetch);
  const { createGroup } = await demo.data('mutation { createGroup(createGroupInput: { name: "x" }) { createdAt } }');
  expect(createGroup.createdAt).toBe(time);
  await demo.data('{ getVehicles { id lastData { timestamp } latestData { timestamp } } }');
});

test('a clock that runs stops at the end', () => {
  let source = 0;
  const { clock } = createMockService({ clock: { now: () => source } });
  clock.set(last);
  source += 1000;
  expect(clock.now()).toBe(Date.parse(last));
});

test('refuses values that are neither a time nor a switch', () => {
  const { clock } = createMockService();
  // @ts-expect-error: not a boolean
  expect(() => clock.freeze('x')).toThrow(new TypeError('freeze takes true or false'));
  // @ts-expect-error: not a time
  expect(() => clock.set(null)).toThrow(TypeError);
  // @ts-expect-error: not a number
  expect(() => clock.advance('1')).toThrow(RangeError);
});

test('refuses a DateTime that has no equivalent in UTC like any invalid one', async () => {
  const demo = await caller(frozenService().fetch);
  const { errors } = await demo(
    'query ($t: DateTime!) { getSnapshots(vehicleId: "6ba7b810-9dad-41d1-80b4-00c04fd430c8", from: $t, to: $t) { timestamp } }',
    { t: '9999-12-31T23:59:59-12:00' },
  );
  expect(errors[0]?.message).toContain('DateTime');
});
