// The options of createMockService and their check.
import type { TimeSource } from './core/clock.js';
import { hourMs } from './core/durations.js';
import { isJsonObject, type JsonObject, quotedKey } from './core/json-object.js';
import type { TimestampForm } from './graphql/scalars.js';
import { type MockVariant, readVariant } from './variants/variant.js';
import { groupNames } from './world/groups.js';
import { defaultUsers, type MockUser } from './world/users.js';

export interface MockServiceOptions {
  /** Ids, names, routes and snapshots follow from it. Default 1. */
  readonly seed?: number | undefined;
  /** Size of the demo fleet. Default 25; the other fleets have at most 8. */
  readonly vehicles?: number | undefined;
  /** How long every GraphQL request takes at least and is active, in milliseconds of real time. Default 0. */
  readonly latencyMs?: number | undefined;
  /** The logins. Default: demo, multi and limited. */
  readonly users?: readonly MockUser[] | undefined;
  /** The clock that the service's clock follows. Default: the system clock. */
  readonly clock?: TimeSource | undefined;
  /** False drops unknown keys of inputs and adds unknown custom fields, instead of refusing them. Default true. */
  readonly strict?: boolean | undefined;
  /** How fields such as `createdAt` are sent: RFC 3339 text, or epoch milliseconds. Default 'rfc3339'. */
  readonly timestamps?: TimestampForm | undefined;
  /** The path below which the service answers, such as `/api`; `/` is its root. Default: below any path. */
  readonly basePath?: string | undefined;
  /** How the service differs from the tidy one, as live services do. Default `{}`: not at all. */
  readonly variant?: MockVariant | undefined;
}

type ResolvedOptions = {
  readonly [K in Exclude<keyof MockServiceOptions, 'basePath'>]-?: NonNullable<MockServiceOptions[K]>;
} & {
  /** Without a slash at its end; null: below any path. */
  readonly basePath: string | null;
};

// Error messages name the place and never repeat a value, because it may hold a password.
function optionError(problem: string): TypeError {
  return new TypeError(`createMockService: ${problem}`, { cause: new TypeError(problem) });
}

/** The members of an object that may have only the allowed ones. */
function readObject(value: unknown, name: string, allowed: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw optionError(`${name} must be an object`);
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue;
    throw optionError(`${name} cannot have ${quotedKey(key)}, only ${allowed.join(', ')}`);
  }
  return { ...value };
}

function readWholeNumber(value: unknown, name: string, max: number): number {
  const problem = `${name} must be a whole number from 0 to ${max}`;
  if (typeof value !== 'number') throw optionError(problem);
  if (!Number.isInteger(value) || value < 0 || value > max) throw new RangeError(`createMockService: ${problem}`);
  return value;
}

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw optionError(`${name} must be a string that is not empty`);
  return value;
}

function readList<T>(value: unknown, name: string, read: (item: unknown, name: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw optionError(`${name} must be a list`);
  return Array.from(value, (item: unknown, index) => read(item, `${name}[${index}]`));
}

function readEntry(value: unknown, name: string): MockUser['entries'][number] {
  const { fleet, group, userName } = readObject(value, name, ['fleet', 'group', 'userName']);
  if (group !== undefined && !groupNames.some((name) => name === group)) {
    throw optionError(`users can be limited to one of these groups: ${groupNames.join(', ')}`);
  }
  return {
    fleet: readText(fleet, `${name}.fleet`),
    ...(group === undefined ? {} : { group: readText(group, `${name}.group`) }),
    ...(userName === undefined ? {} : { userName: readText(userName, `${name}.userName`) }),
  };
}

function readUsers(value: unknown): readonly MockUser[] {
  const names = new Set<string>();
  return readList(value, 'users', (item, name) => {
    const { username, password, entries } = readObject(item, name, ['username', 'password', 'entries']);
    const user = {
      username: readText(username, `${name}.username`),
      password: readText(password, `${name}.password`),
      entries: readList(entries, `${name}.entries`, readEntry),
    };
    if (names.has(user.username)) throw optionError('every user needs a username of its own');
    names.add(user.username);
    return user;
  });
}

/** Returns the object itself, because tests move its time. */
function readClock(value: unknown): TimeSource {
  const problem = 'clock must have a method now() that returns epoch milliseconds';
  // `Date` is a clock too, and it is a function.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('now' in value))
    throw optionError(problem);
  if (typeof value.now !== 'function') throw optionError(problem);
  // It has a method now(), whose result is checked next.
  const clock = value as TimeSource;
  if (!Number.isFinite(clock.now())) throw optionError(problem);
  return clock;
}

function readStrict(value: unknown): boolean {
  if (typeof value !== 'boolean') throw optionError('strict must be true or false');
  return value;
}

function readTimestamps(value: unknown): TimestampForm {
  if (value !== 'rfc3339' && value !== 'number') throw optionError("timestamps must be 'rfc3339' or 'number'");
  return value;
}

function readBasePath(value: unknown): string {
  const path = readText(value, 'basePath');
  if (!/^\/[^?#\s]*$/.test(path)) throw optionError('basePath must be a path that begins with a slash, such as /api');
  return path.replace(/\/+$/, '');
}

function readVariantOption(value: unknown): MockVariant {
  try {
    return readVariant(value);
  } catch (error) {
    throw error instanceof TypeError ? optionError(error.message) : error;
  }
}

const readers: { readonly [K in keyof ResolvedOptions]: (value: unknown) => ResolvedOptions[K] } = {
  seed: (value) => readWholeNumber(value, 'seed', Number.MAX_SAFE_INTEGER),
  vehicles: (value) => readWholeNumber(value, 'vehicles', 1_000_000),
  latencyMs: (value) => readWholeNumber(value, 'latencyMs', hourMs),
  users: readUsers,
  clock: readClock,
  strict: readStrict,
  timestamps: readTimestamps,
  basePath: readBasePath,
  variant: readVariantOption,
};

/** The options with their defaults. Throws a TypeError that names a wrong option, or a RangeError for a number out of range. */
export function resolveOptions(options: unknown): ResolvedOptions {
  const values = readObject(options, 'the options', Object.keys(readers));
  const read = <K extends keyof ResolvedOptions>(key: K, fallback: ResolvedOptions[K]): ResolvedOptions[K] =>
    values[key] === undefined ? fallback : readers[key](values[key]);
  return {
    seed: read('seed', 1),
    vehicles: read('vehicles', 25),
    latencyMs: read('latencyMs', 0),
    users: read('users', defaultUsers),
    clock: read('clock', Date),
    strict: read('strict', true),
    timestamps: read('timestamps', 'rfc3339'),
    basePath: read('basePath', null),
    variant: read('variant', {}),
  };
}
