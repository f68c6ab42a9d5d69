// What a planned fault can say, and whether a value is one. A rule that could never hit, or says what its kind has no use for,
// is refused: a test that plans it would pass without having met the fault.

import { rootFields } from '../graphql/resolvers/table.js';
import { endpoints } from '../http/endpoints.js';

const kinds = ['status', 'delay', 'reset', 'truncate', 'malformed', 'html', 'graphqlError'] as const;

export type FaultKind = (typeof kinds)[number];

export interface FaultRule {
  readonly kind: FaultKind;
  /** How many requests it hits; 1 when left out. */
  readonly times?: number | undefined;
  /** Only requests with this operation: the name of a root field, such as `assignDriver`. */
  readonly operation?: string | undefined;
  /** Only requests to this endpoint, such as `/graphql` or `/login/refresh`, wherever the service is mounted. */
  readonly path?: string | undefined;
  /** Of `status` (503 when left out) and `html` (502 when left out). */
  readonly status?: number | undefined;
  /** Seconds, sent as a Retry-After header with `status` and `html`. */
  readonly retryAfter?: number | undefined;
  /** Of `delay`: milliseconds of real time. */
  readonly ms?: number | undefined;
  /** Text of the error that `status` and `graphqlError` answer with. */
  readonly message?: string | undefined;
}

type Member = keyof FaultRule;

const common: readonly Member[] = ['kind', 'times', 'operation', 'path'];

const own: Readonly<Record<FaultKind, readonly Member[]>> = {
  status: ['status', 'retryAfter', 'message'],
  html: ['status', 'retryAfter'],
  delay: ['ms'],
  graphqlError: ['message'],
  malformed: [],
  truncate: [],
  reset: [],
};

const operations = Object.keys(rootFields).sort();

const checks: Readonly<Record<Member, (value: unknown) => string | null>> = {
  kind: (value) => among(value, kinds),
  times: (value) => whole(value, 1, 1_000_000_000),
  operation: (value) => among(value, operations),
  path: (value) => among(value, endpoints),
  status: (value) => whole(value, 200, 599),
  retryAfter: (value) => whole(value, 0, 1_000_000),
  ms: (value) => whole(value, 0, 3_600_000),
  message: (value) => (typeof value === 'string' ? null : 'must be a string'),
};

function among(value: unknown, known: readonly string[]): string | null {
  return known.some((one) => one === value) ? null : `must be one of ${known.join(', ')}`;
}

function whole(value: unknown, from: number, to: number): string | null {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return fits ? null : `must be a whole number from ${from} to ${to}`;
}

/** The rule that this value is; a TypeError that says what is wrong with it otherwise. */
export function checkedRule(value: unknown): FaultRule {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('a fault rule must be an object');
  // What is undefined has been left out.
  const given = new Map(Object.entries(value).filter(([, said]) => said !== undefined));
  const kind = kinds.find((one) => one === given.get('kind'));
  if (kind === undefined) throw new TypeError(`a fault rule needs a kind, one of ${kinds.join(', ')}`);
  const members: readonly string[] = [...common, ...own[kind]];
  for (const key of given.keys()) {
    if (members.includes(key)) continue;
    const why = Object.hasOwn(checks, key) ? `has no use for ${key}` : `has no key ${JSON.stringify(key.slice(0, 80))}`;
    throw new TypeError(`a fault rule of kind ${kind} ${why}; it can have ${members.join(', ')}`);
  }
  for (const [key, check] of Object.entries(checks)) {
    const problem = given.has(key) ? check(given.get(key)) : null;
    if (problem !== null) throw new TypeError(`${key} of a fault rule ${problem}`);
  }
  if (kind === 'delay' && !given.has('ms')) throw new TypeError('a delay needs ms');
  const path = given.get('path') ?? '/graphql';
  if (path !== '/graphql' && (kind === 'graphqlError' || given.has('operation'))) {
    const what = kind === 'graphqlError' ? 'a graphqlError' : 'a fault rule with an operation';
    throw new TypeError(`${what} can only hit requests to the path /graphql`);
  }
  // Every member has just been checked.
  return Object.fromEntries(given) as unknown as FaultRule;
}
