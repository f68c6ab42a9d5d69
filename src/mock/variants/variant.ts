// The ways in which live services differ from the tidy reference service. A variant is a set of them. Each member is one small rule
// over answers, rows or tokens; the modules beside this one hold the rules, and nothing else in the service knows them.
import { hourMs, weekMs } from '../core/durations.js';
import { isJsonObject, quotedKey } from '../core/json-object.js';

/** How the service differs from the tidy one. A member that is left out changes nothing. */
export interface MockVariant {
  /**
   * What a refresh does with the refresh token: `'rotate'` answers with a new one and spends the old one at once. With
   * `rotateWithGraceMs` the old one can be used again for so many milliseconds on the service's clock.
   */
  readonly refreshTokens?: 'rotate' | { readonly rotateWithGraceMs: number } | undefined;
  /** In which order `getSnapshots` answers the rows of a period: mostly by time, newest first, or in no order. */
  readonly rows?: 'descending' | 'shuffled' | undefined;
  /** Every third row reaches the service so many milliseconds after its own timestamp: no answer has it before. */
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
  /** A request stays active for so many milliseconds of real time after its response, so that the next one may meet 429. */
  readonly lingerMs?: number | undefined;
  /** `'html'` replaces every response with an error status by the page of a gateway. */
  readonly gatewayErrors?: 'html' | undefined;
  /** Over HTTP, a connection that was idle for so many milliseconds of real time is closed without notice. */
  readonly idleConnectionMs?: number | undefined;
  /** `'any'` takes the forms of the login endpoints URL-encoded too. */
  readonly loginForms?: 'any' | undefined;
  /** `'contract'` leaves `fleetId` out of the entries of userinfo: the contract does not show it. */
  readonly userInfo?: 'contract' | undefined;
  /** `'by-login'` counts one active request per login, not per user: a login with three users meets 429 among them. */
  readonly turns?: 'by-login' | undefined;
}

type Member = keyof MockVariant;

/** Says what is wrong with the value; null when it is right. */
type Check = (value: unknown) => string | null;

const oneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.some((choice) => choice === value) ? null : `must be ${choices.map((text) => `"${text}"`).join(' or ')}`;

const wholeNumber =
  (from: number, to: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to
      ? null
      : `must be a whole number from ${from} to ${to}`;

/** An object that has exactly these members. */
const objectOf =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const names = Object.keys(members);
    if (!isJsonObject(value)) return `must be an object with ${names.join(', ')}`;
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(members, key));
    if (unknown !== undefined) return `cannot have ${quotedKey(unknown)}, only ${names.join(', ')}`;
    for (const [name, check] of Object.entries(members)) {
      const problem = check(value[name]);
      if (problem !== null) return `needs ${name}, which ${problem}`;
    }
    return null;
  };

/** The value itself when it is text, otherwise the check of the object. */
const textOr =
  (text: string, check: Check): Check =>
  (value) => {
    if (value === text) return null;
    return typeof value === 'string' ? `must be "${text}" or an object` : check(value);
  };

const checks: Readonly<Record<Member, Check>> = {
  refreshTokens: textOr('rotate', objectOf({ rotateWithGraceMs: wholeNumber(0, hourMs) })),
  turns: oneOf('by-login'),
  rows: oneOf('descending', 'shuffled'),
  lateRowsMs: wholeNumber(1, weekMs),
  flags: oneOf('ON/OFF', 'on/off', 'running/stopped', '1/0'),
  gpsNumbers: oneOf('text'),
  times: oneOf('offset', 'epoch'),
  accessTokens: oneOf('jwt'),
  refusals: oneOf('forbidden', 'graphql'),
  deleted: oneOf('kept'),
  introspection: oneOf('off'),
  longestPeriod: objectOf({ days: wholeNumber(1, 3_660), refusedAs: oneOf('error', 'status') }),
  notFound: oneOf('error'),
  nullability: oneOf('strict'),
  inputs: oneOf('renamed', 'lenient', 'renamed-lenient'),
  lingerMs: wholeNumber(1, hourMs),
  gatewayErrors: oneOf('html'),
  idleConnectionMs: wholeNumber(0, hourMs),
  loginForms: oneOf('any'),
  userInfo: oneOf('contract'),
};

/** A checked copy of the variant. Throws a TypeError that names the member that is wrong. */
export function readVariant(value: unknown): MockVariant {
  if (!isJsonObject(value)) throw new TypeError('a variant must be an object');
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key as Member] : undefined;
    if (check === undefined)
      throw new TypeError(`a variant cannot have ${quotedKey(key)}, only ${Object.keys(checks).join(', ')}`);
    // A member that is undefined counts as left out.
    if (member === undefined) continue;
    const problem = check(member);
    if (problem !== null) throw new TypeError(`${key} of a variant ${problem}`);
    members[key] = structuredClone(member);
  }
  // Every member has been checked.
  return members as MockVariant;
}

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
    this.#current = readVariant(value);
  }

  /** Returns to the variant that the service started with. */
  reset(): void {
    this.#current = this.#initial;
  }
}
