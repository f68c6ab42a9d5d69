// The deviations of live services from the reference service. Each member is one small rule. The
// modules in this folder implement the rules; the rest of the service does not know them.
import { hourMs, weekMs } from '../core/durations.js';
import { fail, object, optional, readInteger, readOneOf, type ShapeOf, type ValueReader } from '../core/readers.js';

/** The service's deviations from the standard service. A missing member changes nothing. */
export interface MockVariant {
  /**
   * `'rotate'`: a refresh returns a new refresh token and revokes the old one at once. With
   * `rotateWithGraceMs`, the old one stays valid for this many milliseconds on the service's clock.
   */
  readonly refreshTokens?: 'rotate' | { readonly rotateWithGraceMs: number } | undefined;
  /** Order of rows in `getSnapshots`: newest first, or random. Default: mostly by time. */
  readonly rows?: 'descending' | 'shuffled' | undefined;
  /** Milliseconds after its timestamp at which every third row first appears in responses. */
  readonly lateRowsMs?: number | undefined;
  /** Format of `ignition.engineStatus` and (not with `'running/stopped'`) `gps.state`. */
  readonly flags?: 'ON/OFF' | 'on/off' | 'running/stopped' | '1/0' | undefined;
  /** `'text'` returns the numbers of `gps` as text, such as `"52.52"`. */
  readonly gpsNumbers?: 'text' | undefined;
  /** Format of all times: with an offset other than Z, or as epoch milliseconds. */
  readonly times?: 'offset' | 'epoch' | undefined;
  /** `'jwt'`: access tokens are JWTs with `exp`; responses lack `expires_in` and `token_type`. */
  readonly accessTokens?: 'jwt' | undefined;
  /** Refusal of an access token instead of 401: 403, or 200 with a GraphQL error. */
  readonly refusals?: 'forbidden' | 'graphql' | undefined;
  /** `'kept'`: deleted geofences, people and assignments stay readable with `isDeleted` true. */
  readonly deleted?: 'kept' | undefined;
  /** `'off'` refuses `__schema` and `__type`. */
  readonly introspection?: 'off' | undefined;
  /** Maximum period of `getSnapshots`; a longer one is a GraphQL error or status 400. */
  readonly longestPeriod?: { readonly days: number; readonly refusedAs: 'error' | 'status' } | undefined;
  /** `'error'`: reading an unknown id or serial number is an error instead of null. */
  readonly notFound?: 'error' | undefined;
  /** `'strict'`: ids, versions, times, lists and required members of new records are non-null. */
  readonly nullability?: 'strict' | undefined;
  /**
   * Input members that the contract does not show. `'renamed'`: `name` is `nameValue`, and so on.
   * `'lenient'`: unknown members are ignored and listed in the journal. `'renamed-lenient'`: both.
   */
  readonly inputs?: 'renamed' | 'lenient' | 'renamed-lenient' | undefined;
  /** Milliseconds of real time that a request stays active after its response, to cause 429. */
  readonly lingerMs?: number | undefined;
  /** `'html'` replaces every error response with a gateway's HTML page. */
  readonly gatewayErrors?: 'html' | undefined;
  /** Milliseconds of real time after which an idle HTTP connection is closed without notice. */
  readonly idleConnectionMs?: number | undefined;
  /** `'any'`: the login endpoints also accept URL-encoded forms. */
  readonly loginForms?: 'any' | undefined;
  /** `'contract'` omits `fleetId` in userinfo, as in the contract. */
  readonly userInfo?: 'contract' | undefined;
  /** `'by-login'` limits active requests per login instead of per user. */
  readonly turns?: 'by-login' | undefined;
}

const grace = object({ rotateWithGraceMs: readInteger(0, hourMs) });

const refreshTokens: ValueReader<NonNullable<MockVariant['refreshTokens']>> = (value, path) => {
  if (value === 'rotate') return value;
  return typeof value === 'string' ? fail(path, 'must be "rotate" or an object') : grace(value, path);
};

export const mockVariant: ValueReader<MockVariant> = object({
  refreshTokens: optional(refreshTokens),
  turns: optional(readOneOf(['by-login'])),
  rows: optional(readOneOf(['descending', 'shuffled'])),
  lateRowsMs: optional(readInteger(1, weekMs)),
  flags: optional(readOneOf(['ON/OFF', 'on/off', 'running/stopped', '1/0'])),
  gpsNumbers: optional(readOneOf(['text'])),
  times: optional(readOneOf(['offset', 'epoch'])),
  accessTokens: optional(readOneOf(['jwt'])),
  refusals: optional(readOneOf(['forbidden', 'graphql'])),
  deleted: optional(readOneOf(['kept'])),
  introspection: optional(readOneOf(['off'])),
  longestPeriod: optional(object({ days: readInteger(1, 3_660), refusedAs: readOneOf(['error', 'status']) })),
  notFound: optional(readOneOf(['error'])),
  nullability: optional(readOneOf(['strict'])),
  inputs: optional(readOneOf(['renamed', 'lenient', 'renamed-lenient'])),
  lingerMs: optional(readInteger(1, hourMs)),
  gatewayErrors: optional(readOneOf(['html'])),
  idleConnectionMs: optional(readInteger(0, hourMs)),
  loginForms: optional(readOneOf(['any'])),
  userInfo: optional(readOneOf(['contract'])),
} satisfies ShapeOf<MockVariant>);

/** The variant of a service, which a test may change at run time. */
export class VariantSetting {
  readonly #initial: MockVariant;
  #current: MockVariant;

  constructor(initial: MockVariant) {
    this.#initial = initial;
    this.#current = initial;
  }

  get current(): MockVariant {
    return this.#current;
  }

  /** Throws a TypeError that names the wrong member; nothing changes then. */
  set(value: unknown): void {
    this.#current = mockVariant(value, 'variant');
  }

  reset(): void {
    this.#current = this.#initial;
  }
}
