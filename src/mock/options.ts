// What createMockService can be told, and whether a value is that.
import type { TimeSource } from './control/clock.js';
import type { TimestampForm } from './graphql/scalars.js';
import { groupNames } from './world/groups.js';
import { defaultUsers, type MockUser } from './world/users.js';

export interface MockServiceOptions {
  /** Everything follows from it: ids, names, routes, snapshots. Default 1. */
  readonly seed?: number | undefined;
  /** Size of the demo fleet. Default 25; the other fleets have at most 8. */
  readonly vehicles?: number | undefined;
  /** Real time in milliseconds that every GraphQL request takes at least, during which it is active. Default 0. */
  readonly latencyMs?: number | undefined;
  /** Logins in place of demo, multi and limited. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the service's clock takes its time from. Default: the system's clock. */
  readonly clock?: TimeSource | undefined;
  /** False lets pass what the contract says nothing about: unknown keys of inputs, unknown custom fields. Default true. */
  readonly strict?: boolean | undefined;
  /** How `createdAt` and its like are sent: RFC 3339 text, or epoch milliseconds. Default 'rfc3339'. */
  readonly timestamps?: TimestampForm | undefined;
}

type Settled = { readonly [K in keyof MockServiceOptions]-?: NonNullable<MockServiceOptions[K]> };

// Messages name the place and never repeat a value: a password may be in it.
function wrong(problem: string): TypeError {
  return new TypeError(`createMockService: ${problem}`);
}

/** The members of an object that has no others than these. */
function members(value: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${name} must be an object`);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw wrong(`${name} cannot have ${JSON.stringify(key.slice(0, 80))}, only ${known.join(', ')}`);
  }
  return { ...value };
}

function wholeNumber(value: unknown, name: string, most: number): number {
  const problem = `${name} must be a whole number from 0 to ${most}`;
  if (typeof value !== 'number') throw wrong(problem);
  if (!Number.isInteger(value) || value < 0 || value > most) throw new RangeError(`createMockService: ${problem}`);
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(`${name} must be a string that is not empty`);
  return value;
}

function listOf<T>(value: unknown, name: string, read: (item: unknown, name: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw wrong(`${name} must be a list`);
  return Array.from(value, (item: unknown, place) => read(item, `${name}[${place}]`));
}

function readEntry(value: unknown, name: string): MockUser['entries'][number] {
  const { fleet, group, userName } = members(value, name, ['fleet', 'group', 'userName']);
  if (group !== undefined && !groupNames.some((known) => known === group)) {
    throw wrong(`users can be limited to one of these groups: ${groupNames.join(', ')}`);
  }
  return {
    fleet: text(fleet, `${name}.fleet`),
    ...(group === undefined ? {} : { group: text(group, `${name}.group`) }),
    ...(userName === undefined ? {} : { userName: text(userName, `${name}.userName`) }),
  };
}

function readUsers(value: unknown): readonly MockUser[] {
  const names = new Set<string>();
  return listOf(value, 'users', (item, name) => {
    const { username, password, entries } = members(item, name, ['username', 'password', 'entries']);
    const user = {
      username: text(username, `${name}.username`),
      password: text(password, `${name}.password`),
      entries: listOf(entries, `${name}.entries`, readEntry),
    };
    if (names.has(user.username)) throw wrong('every user needs a username of its own');
    names.add(user.username);
    return user;
  });
}

/** Read through the object it was given as: a test moves time there. */
function readClock(value: unknown): TimeSource {
  const problem = 'clock must have a method now() that returns epoch milliseconds';
  // `Date` is a clock too, and a function.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('now' in value))
    throw wrong(problem);
  if (typeof value.now !== 'function') throw wrong(problem);
  // It has a method now; what that returns is looked at next.
  const clock = value as TimeSource;
  if (!Number.isFinite(clock.now())) throw wrong(problem);
  return clock;
}

function readStrict(value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrong('strict must be true or false');
  return value;
}

function readTimestamps(value: unknown): TimestampForm {
  if (value !== 'rfc3339' && value !== 'number') throw wrong("timestamps must be 'rfc3339' or 'number'");
  return value;
}

const readers: { readonly [K in keyof Settled]: (value: unknown) => Settled[K] } = {
  seed: (value) => wholeNumber(value, 'seed', Number.MAX_SAFE_INTEGER),
  vehicles: (value) => wholeNumber(value, 'vehicles', 1_000_000),
  latencyMs: (value) => wholeNumber(value, 'latencyMs', 3_600_000),
  users: readUsers,
  clock: readClock,
  strict: readStrict,
  timestamps: readTimestamps,
};

/** The options with their defaults; a TypeError (a RangeError for a number out of bounds) that says which of them is wrong. */
export function settled(options: unknown): Settled {
  const given = members(options, 'the options', Object.keys(readers));
  const read = <K extends keyof Settled>(key: K, otherwise: Settled[K]): Settled[K] =>
    given[key] === undefined ? otherwise : readers[key](given[key]);
  return {
    seed: read('seed', 1),
    vehicles: read('vehicles', 25),
    latencyMs: read('latencyMs', 0),
    users: read('users', defaultUsers),
    clock: read('clock', Date),
    strict: read('strict', true),
    timestamps: read('timestamps', 'rfc3339'),
  };
}
