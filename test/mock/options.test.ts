// Invalid options of createMockService are refused with an error that names them.
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';

const user = { username: 'ada', password: 'secret', entries: [{ fleet: 'Demo Fleet' }] };

describe('a wrong option is a TypeError that names it', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['no object', 7, 'the options must be an object'],
    ['null', null, 'the options must be an object'],
    ['an unknown option', { vehicle: 3 }, 'the options cannot have "vehicle", only seed, vehicles'],
    ['a seed as text', { seed: '1' }, 'seed must be a whole number'],
    ['users that are no list', { users: user }, 'users must be a list'],
    ['a user without anything', { users: [{}] }, 'users[0].username must be a string'],
    ['no user at all', { users: [user, null] }, 'users[1] must be an object'],
    ['no password', { users: [{ ...user, password: undefined }] }, 'users[0].password must be a string'],
    ['no entries', { users: [{ username: 'ada', password: 'secret' }] }, 'users[0].entries must be a list'],
    ['an entry without a fleet', { users: [{ ...user, entries: [{}] }] }, 'users[0].entries[0].fleet must be a string'],
    ['an unknown member', { users: [{ ...user, role: 'x' }] }, 'users[0] cannot have "role"'],
    ['an unknown group', { users: [{ ...user, entries: [{ fleet: 'x', group: 'y' }] }] }, 'users[0].entries[0].group must be one of Deliveries, City deliveries'],
    ['a name twice', { users: [user, user] }, 'users must each have a username of their own'],
    ['a clock without now', { clock: {} }, 'clock must have a method now()'],
    ['a clock that is a number', { clock: 5 }, 'clock must have a method now()'],
    ['a clock that does not tell the time', { clock: { now: () => 'noon' } }, 'clock must have a method now()'],
    ['timestamps', { timestamps: 'bogus' }, 'timestamps must be one of rfc3339, number'],
    ['strict', { strict: 'x' }, 'strict must be true or false'],
  ]; // biome-ignore format: a table reads best in rows

  test.each(cases)('%s', (_, options, problem) => {
    let thrown: unknown;
    try {
      // The compiler refuses them too.
      createMockService(options as never);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    const message = thrown instanceof Error ? thrown.message : '';
    expect(message.startsWith('createMockService: ')).toBe(true);
    expect(message).toContain(problem);
    expect(message).not.toContain('secret');
  });
});

test('a number out of bounds is a RangeError', () => {
  expect(() => createMockService({ vehicles: -1 })).toThrow(RangeError);
  expect(() => createMockService({ latencyMs: 0.5 })).toThrow('createMockService: latencyMs');
});

test('undefined is the default, and every clock there is will do', () => {
  const service = createMockService({ seed: undefined, users: undefined, clock: Date, strict: undefined });
  expect(createMockService({ clock: service.clock }).clock.now()).toBeGreaterThan(0);
});
