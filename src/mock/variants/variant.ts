// The ways in which live services differ from the tidy reference service. A variant is a set of them. Each member is one small rule
// over answers, rows or tokens; the modules beside this one hold the rules, and nothing else in the service knows them.
import { hourMs, weekMs } from '../core/durations.js';
import { fail, object, oneOf, optional, type Reader, type ShapeOf, wholeNumber } from '../core/readers.js';

/** How the service differs from the tidy one. A member that is left out changes nothing. */
export interface MockVariant {
  /**
   * What a refresh does with the refresh token: `'rotate'` answers with a new one and spends the old one at once. With
   * `rotateWithGraceMs` the old one can be used again for this many milliseconds on the service's clock.
   */
  readonly refreshTokens?: 'rotate' | { readonly rotateWithGraceMs: number } | undefined;
  /** In which order `getSnapshots` answers the rows of a period: mostly by time, newest first, or in no order. */
  readonly rows?: 'descending' | 'shuffled' | undefined;
  /** Every third row reaches the service this many milliseconds after its own timestamp: no answer has it before. */
  readonly lateRowsMs?: number | undefined;
  /** How `ignition.engineStatus` and `gps.state` are written. With `'running/stopped'`, `gps.state` stays true or false. */
  readonly flags?: 'ON/OFF' | 'on/off' | 'running/stopped' | '1/0' | undefined;
  /** `'text'` writes the numbers of `gps` as text, such as `"52.52"`. */
  readonly gpsNumbers?: 'text' | undefined;
  /** How all times are written: with an offset other than Z, or as epoch milliseconds. */
  readonly times?: 'offset' | 'epoch' | undefined;
  /** `'jwt'` makes access tokens JWTs with `exp`; the answers that carry them have neither `expires_in` nor `token_type`. */
  readonly accessTokens?: 'jwt' | undefined;
  /** How an access token is refused in place of 401: with 403, or with 200 and a GraphQL error. */
  readonly refusals?: 'forbidden' | 'graphql' | undefined;
  /** `'kept'` leaves deleted geofences, people and driver assignments in lists and look-ups, with `isDeleted` true. */
  readonly deleted?: 'kept' | undefined;
  /** `'off'` refuses `__schema` and `__type`. */
  readonly introspection?: 'off' | undefined;
  /** The longest period of `getSnapshots`. A longer one is a GraphQL error, or answered with status 400. */
  readonly longestPeriod?: { readonly days: number; readonly refusedAs: 'error' | 'status' } | undefined;
  /** `'error'` refuses to read an id or a serial number that does not exist, instead of answering null. */
  readonly notFound?: 'error' | undefined;
  /** `'strict'` declares ids, versions, times and the lists of root fields as non-null, and the members that a new record needs. */
  readonly nullability?: 'strict' | undefined;
  /**
   * The members of the inputs that the contract does not show. `'renamed'`: they have other names (`name` is `nameValue`), and
   * those of this project are unknown. `'lenient'`: unknown members are ignored and shown in the journal. `'renamed-lenient'`: both.
   */
  readonly inputs?: 'renamed' | 'lenient' | 'renamed-lenient' | undefined;
  /** A request stays active for this many milliseconds of real time after its response, so that the next one may meet 429. */
  readonly lingerMs?: number | undefined;
  /** `'html'` replaces every response with an error status by the page of a gateway. */
  readonly gatewayErrors?: 'html' | undefined;
  /** Over HTTP, a connection that was idle for this many milliseconds of real time is closed without notice. */
  readonly idleConnectionMs?: number | undefined;
  /** `'any'` takes the forms of the login endpoints URL-encoded too. */
  readonly loginForms?: 'any' | undefined;
  /** `'contract'` leaves `fleetId` out of the entries of userinfo: the contract does not show it. */
  readonly userInfo?: 'contract' | undefined;
  /** `'by-login'` counts one active request per login, not per user: a login with three users meets 429 among them. */
  readonly turns?: 'by-login' | undefined;
}

const grace = object({ rotateWithGraceMs: wholeNumber(0, hourMs) });

const refreshTokens: Reader<NonNullable<MockVariant['refreshTokens']>> = (value, path) => {
  if (value === 'rotate') return value;
  return typeof value === 'string' ? fail(path, 'must be "rotate" or an object') : grace(value, path);
};

/** Reads a variant. */
export const mockVariant: Reader<MockVariant> = object({
  refreshTokens: optional(refreshTokens),
  turns: optional(oneOf(['by-login'])),
  rows: optional(oneOf(['descending', 'shuffled'])),
  lateRowsMs: optional(wholeNumber(1, weekMs)),
  flags: optional(oneOf(['ON/OFF', 'on/off', 'running/stopped', '1/0'])),
  gpsNumbers: optional(oneOf(['text'])),
  times: optional(oneOf(['offset', 'epoch'])),
  accessTokens: optional(oneOf(['jwt'])),
  refusals: optional(oneOf(['forbidden', 'graphql'])),
  deleted: optional(oneOf(['kept'])),
  introspection: optional(oneOf(['off'])),
  longestPeriod: optional(object({ days: wholeNumber(1, 3_660), refusedAs: oneOf(['error', 'status']) })),
  notFound: optional(oneOf(['error'])),
  nullability: optional(oneOf(['strict'])),
  inputs: optional(oneOf(['renamed', 'lenient', 'renamed-lenient'])),
  lingerMs: optional(wholeNumber(1, hourMs)),
  gatewayErrors: optional(oneOf(['html'])),
  idleConnectionMs: optional(wholeNumber(0, hourMs)),
  loginForms: optional(oneOf(['any'])),
  userInfo: optional(oneOf(['contract'])),
} satisfies ShapeOf<MockVariant>);

/** Holds the variant of a service, which a test may change while the service runs. */
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

  /** Throws a TypeError that names the member that is wrong, and changes nothing then. */
  set(value: unknown): void {
    this.#current = mockVariant(value, 'variant');
  }

  /** Returns to the variant that the service started with. */
  reset(): void {
    this.#current = this.#initial;
  }
}
