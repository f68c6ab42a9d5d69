// The rule of a planned fault, and its check. A rule that can never apply, or that has a member its kind does not use, is refused:
// a test would pass without having met the fault.
import { endpoints } from '../core/endpoints.js';
import { isJsonObject, quotedKey } from '../core/json-object.js';
import { rootResolvers } from '../graphql/resolvers/resolver-map.js';

const kinds = ['status', 'delay', 'reset', 'truncate', 'malformed', 'html', 'graphqlError'] as const;

export type FaultKind = (typeof kinds)[number];

export interface FaultRule {
  readonly kind: FaultKind;
  /** How many requests it applies to. Default 1. */
  readonly times?: number | undefined;
  /** Applies only to requests with this operation: the name of a root field, such as `assignDriver`. */
  readonly operation?: string | undefined;
  /** Applies only to requests to this endpoint, such as `/graphql` or `/login/refresh`, wherever the service is mounted. */
  readonly path?: string | undefined;
  /** HTTP status of `status` (default 503) and `html` (default 502). */
  readonly status?: number | undefined;
  /** Seconds in the Retry-After header of `status` and `html`. */
  readonly retryAfter?: number | undefined;
  /** Length of a `delay` in milliseconds of real time. */
  readonly ms?: number | undefined;
  /** Text of the error of `status` and `graphqlError`. */
  readonly message?: string | undefined;
}

type Member = keyof FaultRule;

const commonMembers: readonly Member[] = ['kind', 'times', 'operation', 'path'];

const membersByKind: Readonly<Record<FaultKind, readonly Member[]>> = {
  status: ['status', 'retryAfter', 'message'],
  html: ['status', 'retryAfter'],
  delay: ['ms'],
  graphqlError: ['message'],
  malformed: [],
  truncate: [],
  reset: [],
};

const operations = Object.keys(rootResolvers).sort();

const checks: Readonly<Record<Member, (value: unknown) => string | null>> = {
  kind: (value) => oneOfProblem(value, kinds),
  times: (value) => wholeNumberProblem(value, 1, 1_000_000_000),
  operation: (value) => oneOfProblem(value, operations),
  path: (value) => oneOfProblem(value, endpoints),
  status: (value) => wholeNumberProblem(value, 200, 599),
  retryAfter: (value) => wholeNumberProblem(value, 0, 1_000_000),
  ms: (value) => wholeNumberProblem(value, 0, 3_600_000),
  message: (value) => (typeof value === 'string' ? null : 'must be a string'),
};

function oneOfProblem(value: unknown, known: readonly string[]): string | null {
  return known.some((candidate) => candidate === value) ? null : `must be one of ${known.join(', ')}`;
}

function wholeNumberProblem(value: unknown, from: number, to: number): string | null {
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return isValid ? null : `must be a whole number from ${from} to ${to}`;
}

/** Returns the value as a rule, or throws a TypeError that says what is wrong with it. */
export function parseFaultRule(value: unknown): FaultRule {
  if (!isJsonObject(value)) throw new TypeError('a fault rule must be an object');
  // A member that is undefined counts as left out.
  const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
  const kind = kinds.find((candidate) => candidate === members.get('kind'));
  if (kind === undefined) throw new TypeError(`a fault rule needs a kind, one of ${kinds.join(', ')}`);
  const allowed: readonly string[] = [...commonMembers, ...membersByKind[kind]];
  for (const key of members.keys()) {
    if (allowed.includes(key)) continue;
    const name = Object.hasOwn(checks, key) ? key : quotedKey(key);
    throw new TypeError(`a fault rule of kind ${kind} cannot have ${name}; it can have ${allowed.join(', ')}`);
  }
  for (const [key, check] of Object.entries(checks)) {
    const problem = members.has(key) ? check(members.get(key)) : null;
    if (problem !== null) throw new TypeError(`${key} of a fault rule ${problem}`);
  }
  if (kind === 'delay' && !members.has('ms')) throw new TypeError('a delay needs ms');
  const path = members.get('path') ?? '/graphql';
  if (path !== '/graphql' && (kind === 'graphqlError' || members.has('operation'))) {
    const what = kind === 'graphqlError' ? 'a graphqlError' : 'a fault rule with an operation';
    throw new TypeError(`${what} can only apply to requests to the path /graphql`);
  }
  // Every member has been checked.
  return Object.fromEntries(members) as unknown as FaultRule;
}
