// The rule of a planned fault, and its check. A rule that can never apply, or has a member that its
// kind ignores, is refused. Otherwise a test would pass without the fault.
import { endpoints } from '../core/endpoints.js';
import {
  objectOfKind,
  optional,
  readInteger,
  readOneOf,
  readString,
  refined,
  type ValueReader,
} from '../core/readers.js';
import { rootResolvers } from '../graphql/resolvers/resolver-map.js';

export type FaultKind = 'status' | 'delay' | 'reset' | 'truncate' | 'malformed' | 'html' | 'graphqlError';

export interface FaultRule {
  readonly kind: FaultKind;
  /** Number of requests it applies to. Default 1. */
  readonly times?: number | undefined;
  /** Only requests with this root field, such as `assignDriver`. */
  readonly operation?: string | undefined;
  /** Only requests to this endpoint, such as `/graphql`, at any mount point. */
  readonly path?: string | undefined;
  /** HTTP status of `status` (default 503) and `html` (default 502). */
  readonly status?: number | undefined;
  /** Seconds in the Retry-After header of `status` and `html`. */
  readonly retryAfter?: number | undefined;
  /** Length of a `delay` in milliseconds of real time. */
  readonly ms?: number | undefined;
  /** Error text of `status` and `graphqlError`. */
  readonly message?: string | undefined;
}

const common = {
  times: optional(readInteger(1, 1_000_000_000)),
  operation: optional(readOneOf(Object.keys(rootResolvers).sort())),
  path: optional(readOneOf(endpoints)),
};
const status = optional(readInteger(200, 599));
const retryAfter = optional(readInteger(0, 1_000_000));
const message = optional(readString);

const ruleOfKind: ValueReader<FaultRule> = objectOfKind(
  {
    status: { ...common, status, retryAfter, message },
    delay: { ...common, ms: readInteger(0, 3_600_000) },
    reset: common,
    truncate: common,
    malformed: common,
    html: { ...common, status, retryAfter },
    graphqlError: { ...common, message },
  } satisfies Readonly<Record<FaultKind, object>>,
  'a fault rule',
);

/** Reads a rule. Throws a TypeError that names the problem when the rule is invalid. */
export const faultRule: ValueReader<FaultRule> = refined(
  ruleOfKind,
  ({ kind, operation, path = '/graphql' }) =>
    path !== '/graphql' && (kind === 'graphqlError' || operation !== undefined)
      ? 'with an operation or of kind graphqlError can only apply to requests to the path /graphql'
      : null,
  'a fault rule',
);
