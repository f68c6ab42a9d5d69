// The options of createMockService and their validation.
import type { TimeSource } from './core/clock.js';
import { hourMs } from './core/durations.js';
import {
  boolean,
  fail,
  filledText,
  list,
  object,
  optional,
  readInteger,
  readOneOf,
  refined,
  type ShapeOf,
  type ValueReader,
} from './core/readers.js';
import type { TimestampForm } from './graphql/scalars.js';
import { type MockVariant, mockVariant } from './variants/variant.js';
import { groupNames } from './world/groups.js';
import { defaultUsers, type MockUser } from './world/users.js';

export interface MockServiceOptions {
  /** Determines ids, names, routes and snapshots. Default 1. */
  readonly seed?: number | undefined;
  /** Size of the demo fleet. Default 25; other fleets have up to 8. */
  readonly vehicles?: number | undefined;
  /** Time that a GraphQL request takes and stays active, in real milliseconds. Default 0. */
  readonly latencyMs?: number | undefined;
  /** The logins. Default: demo, multi and limited. */
  readonly users?: readonly MockUser[] | undefined;
  /** Source of the service's clock. Default: the system clock. */
  readonly clock?: TimeSource | undefined;
  /** False ignores unknown input keys and accepts unknown custom fields. Default true. */
  readonly strict?: boolean | undefined;
  /** Format of fields such as `createdAt`: RFC 3339 or epoch milliseconds. Default 'rfc3339'. */
  readonly timestamps?: TimestampForm | undefined;
  /** Path prefix of the service, such as `/api`; `/` is its root. Default: any prefix. */
  readonly basePath?: string | undefined;
  /** Deviations from the standard service, as on live services. Default `{}`: none. */
  readonly variant?: MockVariant | undefined;
}

export type ResolvedOptions = {
  readonly [K in Exclude<keyof MockServiceOptions, 'basePath'>]-?: NonNullable<MockServiceOptions[K]>;
} & {
  /** No final slash; null accepts any prefix. */
  readonly basePath: string | null;
};

/** Throws a RangeError for a number out of range. */
function count(max: number): ValueReader<number> {
  const read = readInteger(0, max);
  return (value, path) => {
    try {
      return read(value, path);
    } catch (error) {
      throw typeof value === 'number' && error instanceof TypeError ? new RangeError(error.message) : error;
    }
  };
}

const user = object({
  username: filledText,
  password: filledText,
  entries: list(
    object({
      fleet: filledText,
      group: optional(readOneOf(groupNames)),
      userName: optional(filledText),
    } satisfies ShapeOf<MockUser['entries'][number]>),
  ),
});

const users = refined(list(user), (all) =>
  new Set(all.map(({ username }) => username)).size === all.length ? null : 'must each have a username of their own',
);

/** Returns the object itself, because tests move its time. */
const clock: ValueReader<TimeSource> = (value, path) => {
  const problem = 'must have a method now() that returns epoch milliseconds';
  // `Date` is a clock too, and it is a function.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('now' in value))
    return fail(path, problem);
  if (typeof value.now !== 'function') return fail(path, problem);
  const source = value as TimeSource;
  return Number.isFinite(source.now()) ? source : fail(path, problem);
};

const basePath: ValueReader<string> = (value, path) => {
  const text = filledText(value, path);
  if (!/^\/[^?#\s]*$/.test(text)) fail(path, 'must be a path that begins with a slash, such as /api');
  return text.replace(/\/+$/, '');
};

const readOptions = object(
  {
    seed: optional(count(Number.MAX_SAFE_INTEGER)),
    vehicles: optional(count(1_000_000)),
    latencyMs: optional(count(hourMs)),
    users: optional(users),
    clock: optional(clock),
    strict: optional(boolean),
    timestamps: optional(readOneOf(['rfc3339', 'number'])),
    basePath: optional(basePath),
    variant: optional(mockVariant),
  } satisfies ShapeOf<MockServiceOptions>,
  'the options',
);

const defaults: ResolvedOptions = {
  seed: 1,
  vehicles: 25,
  latencyMs: 0,
  users: defaultUsers,
  // A function, because a test may replace Date.
  clock: { now: () => Date.now() },
  strict: true,
  timestamps: 'rfc3339',
  basePath: null,
  variant: {},
};

/** Returns the options with defaults. An error names the wrong option: TypeError or RangeError. */
export function resolveOptions(options: unknown): ResolvedOptions {
  try {
    return { ...defaults, ...readOptions(options, '') };
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`createMockService: ${error.message}`);
    throw error instanceof TypeError ? new TypeError(`createMockService: ${error.message}`, { cause: error }) : error;
  }
}
