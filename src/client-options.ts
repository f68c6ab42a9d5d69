// What a caller may say to a client and to one call, and the check of it before anything is made or sent. Messages name the option,
// never its value.

import type { UserWish } from './auth/acting-user.js';
import { type CredentialsSource, isCredentials } from './auth/credentials.js';
import type { TokenStore } from './auth/token-store.js';
import { baseUrlProblem } from './core/base-url.js';
import { InvalidInputError } from './core/errors.js';
import type { Hooks } from './core/hooks.js';
import type { CallOptions } from './core/operation.js';
import type { Clock, Fetch } from './core/ports.js';
import { printableName } from './core/printable-name.js';
import type { Gate } from './locks/gate.js';
import type { RetryOptions } from './request/retry-policy.js';
import type { TripOptions } from './telemetry/trips/trip.js';
import type { TlsSettings } from './transport/http-transport.js';

export interface FleetClientOptions {
  /** Address of the service, `http` or `https`; `/login/token`, `/graphql` and the rest are below it. */
  readonly baseUrl: string;
  /** Who logs in, or a function that says so when a login is needed. Left out: the token store must hold a session. */
  readonly credentials?: CredentialsSource | undefined;
  /** The user to act for. Left out: the only user of the login, else a UserSelectionError lists them. */
  readonly user?: UserWish | undefined;
  /**
   * With whom turns and session are shared. `process` (the default): turns with the clients of this process, the session with
   * nobody. `machine`: both with every process that uses the same config folder, the command line among them.
   */
  readonly share?: 'process' | 'machine' | undefined;
  /** Who takes turns with whom, in place of what `share` picks. */
  readonly gate?: Gate | undefined;
  /** Where the session is kept, in place of what `share` picks. */
  readonly tokenStore?: TokenStore | undefined;
  /** Names the login in the token store. Default: the username. Give it when credentials come from a function that should not be asked while a kept session is good. */
  readonly sessionKey?: string | undefined;
  /** Total time for a call in milliseconds, waiting included. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /** How often and how patiently a failed request is sent again; false: not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Queries of one user that wait for their turn together leave as one request, `max` of them at most (default 50).
   * false: every query is a request of its own.
   */
  readonly merge?: { readonly max?: number | undefined } | false | undefined;
  /** Sends the requests, in place of the built-in connection pool. */
  readonly fetch?: Fetch | undefined;
  /**
   * How the built-in connection pool makes TLS connections. `ca`: the certificate authorities to trust in place of those Node
   * trusts, as PEM text; NODE_EXTRA_CA_CERTS in the environment adds to Node's own and needs no option.
   */
  readonly tls?: TlsSettings | undefined;
  /** Wall-clock time, for token lifetimes; `serviceNow()` goes on from it. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Functions called while requests are made. */
  readonly hooks?: Hooks | undefined;
}

/** What may be said about one call; `select` is checked against the operation, which is not known here. */
export type MethodOptions = CallOptions & { readonly select?: unknown };

/** Throws an InvalidInputError that names the first option that cannot be used. */
export function checkClientOptions(options: unknown): void {
  if (!isObject(options)) throw new InvalidInputError('FleetClient takes one object of options; baseUrl is needed.');
  const problem =
    checkBaseUrl(Reflect.get(options, 'baseUrl')) ??
    problemIn(options, clientChecks, 'FleetClient') ??
    conflictIn(options);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}

/** The wish of `as`, which must not be left out. */
export function checkUser(user: unknown): void {
  const problem = userProblem(user);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}

const NO_OPTIONS: MethodOptions = {};

/** The options of one call. Null, as a whole or for one of them, is the same as leaving it out. */
export function readCallOptions(operation: string, options: MethodOptions | null | undefined): MethodOptions {
  return readOptions(operation, options, callChecks);
}

/** The same for a call that reads trips: what is selected is for trips to say, and they have options of their own. */
export function readTripOptions(
  operation: string,
  options: (CallOptions & TripOptions) | null | undefined,
): CallOptions & TripOptions {
  return readOptions(operation, options, tripCallChecks);
}

function readOptions(operation: string, options: MethodOptions | null | undefined, checks: Checks): MethodOptions {
  if (options === undefined || options === null) return NO_OPTIONS;
  const given = isObject(options) ? withoutNulls(options) : null;
  const problem = given
    ? problemIn(given, checks, operation)
    : `The options of ${operation} must be one object: ${Object.keys(checks).join(', ')}`;
  if (!given || problem !== null) throw new InvalidInputError(`${problem}. Nothing was sent.`, { operation });
  return given;
}

function withoutNulls(options: MethodOptions): MethodOptions {
  const all = Object.entries(options);
  return all.some(([, value]) => value === null)
    ? Object.fromEntries(all.filter(([, value]) => value !== null))
    : options;
}

/** What is wrong with an option's value, as a sentence about `name`; null when nothing is. */
type Check = (value: unknown, name: string) => string | null;
type Checks<Name extends string = string> = Readonly<Record<Name, Check>>;

const demand =
  (isGood: (value: unknown) => boolean, demanded: string): Check =>
  (value, name) =>
    isGood(value) ? null : `${name} must be ${demanded}`;

const members =
  (checks: Checks, demanded: string): Check =>
  (value, name) =>
    isObject(value) ? problemIn(value, checks, name, `${name}.`) : `${name} must be ${demanded}`;

const orFalse =
  (check: Check): Check =>
  (value, name) =>
    value === false ? null : check(value, name);

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
const positiveMs = demand((value) => typeof value === 'number' && value > 0, 'a positive number of milliseconds');
const pauseMs = demand((value) => Number.isFinite(value) && Number(value) >= 0, 'a number of milliseconds, 0 or more');
const flag = demand((value) => typeof value === 'boolean', 'true or false');
const callable = demand((value) => typeof value === 'function', 'a function');

const hookChecks: Checks<keyof Hooks> = {
  onRequest: callable,
  onResponse: callable,
  onRetry: callable,
  onRefresh: callable,
  onWarning: callable,
};

const retryChecks: Checks<keyof RetryOptions> = {
  attempts: demand((value) => isCount(value) || value === Number.POSITIVE_INFINITY, 'a whole number above 0'),
  baseDelayMs: pauseMs,
  maxDelayMs: pauseMs,
};

const mergeChecks: Checks<'max'> = { max: demand(isCount, 'a whole number above 0; merge: false turns merging off') };

const tlsChecks: Checks<keyof TlsSettings> = {
  ca: demand(
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isPem) : isPem(value)),
    'certificates in PEM form, or a list of them: the text of the file, not its path',
  ),
};

const clientChecks: Checks<keyof FleetClientOptions> = {
  baseUrl: checkBaseUrl,
  credentials: demand(
    (value) => typeof value === 'function' || isCredentials(value),
    '{ username, password }, two non-empty strings, or a function that gives them',
  ),
  user: userProblem,
  share: demand((value) => value === 'process' || value === 'machine', "'process' or 'machine'"),
  gate: demand((value) => hasFunctions(value, ['hold']), 'a gate: an object with a function hold'),
  tokenStore: demand(
    (value) => hasFunctions(value, ['load', 'save', 'clear', 'withLock']),
    'a token store: an object with the functions load, save, clear and withLock',
  ),
  sessionKey: demand((value) => typeof value === 'string' && value !== '', 'a non-empty string'),
  timeoutMs: positiveMs,
  retry: orFalse(members(retryChecks, 'false or { attempts, baseDelayMs, maxDelayMs }')),
  merge: orFalse(members(mergeChecks, 'false or { max }')),
  fetch: callable,
  tls: members(tlsChecks, '{ ca }'),
  clock: demand((value) => hasFunctions(value, ['now']), 'a clock: an object with a function now'),
  hooks: members(hookChecks, 'an object of functions'),
};

const callChecks: Checks<keyof MethodOptions> = {
  select: () => null,
  signal: demand(
    isSignal,
    'an AbortSignal: an object with a boolean aborted and the functions addEventListener and removeEventListener',
  ),
  timeoutMs: positiveMs,
  partial: flag,
  idempotent: flag,
};

/** tripRules checks the values. */
const anything: Check = () => null;
const { select: _, ...checksWithoutSelect } = callChecks;
const tripCallChecks: Checks<Exclude<keyof MethodOptions, 'select'> | keyof TripOptions> = {
  ...checksWithoutSelect,
  closeAfterMs: anything,
  silenceMs: anything,
  lateMs: anything,
  fastestKmh: anything,
  movingKmh: anything,
};

/** The first member that its check does not like, or that nobody knows. Undefined is the same as leaving it out. */
function problemIn(options: object, checks: Checks, owner: string, prefix = ''): string | null {
  for (const name of Object.keys(options)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) return `${owner} has no option ${printableName(name)}; it takes ${Object.keys(checks).join(', ')}`;
    const problem = check(value, `${prefix}${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

/** Options that are good by themselves and not together. */
function conflictIn(options: object): string | null {
  if (Reflect.get(options, 'fetch') === undefined || Reflect.get(options, 'tls') === undefined) return null;
  return 'tls has no effect on a fetch of your own: leave one of the two out';
}

function checkBaseUrl(value: unknown): string | null {
  switch (baseUrlProblem(value)) {
    case null:
      return null;
    case 'no http(s) address':
      return 'baseUrl must be an address that starts with http:// or https://';
    case 'holds credentials':
      return 'baseUrl must hold no username or password: give them as credentials';
    case 'has a query or fragment':
      return 'baseUrl must end with its path: no ? and no #';
  }
}

function userProblem(value: unknown): string | null {
  const named = isObject(value) ? Object.entries(value).filter(([, one]) => one !== undefined) : [];
  const [only] = named;
  if (!only || named.length !== 1 || !['userId', 'fleetId', 'fleetName'].includes(only[0])) {
    return 'user must be one of { userId }, { fleetId } and { fleetName }';
  }
  const [key, text] = only;
  // Ids travel in a header.
  if (typeof text === 'string' && text !== '' && (key === 'fleetName' || /^[\x21-\x7e]+$/.test(text))) return null;
  return `user.${key} must be a non-empty string${key === 'fleetName' ? '' : ' that fits in a header'}`;
}

/** Node takes anything for certificates and says nothing until a server is not trusted. */
function isPem(value: unknown): boolean {
  return (typeof value === 'string' || Buffer.isBuffer(value)) && value.includes('-----BEGIN CERTIFICATE-----');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Date` is a clock too: a function may have them as well as an object. */
function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** By its shape: a signal may come from a polyfill or from another realm. */
function isSignal(value: unknown): boolean {
  if (!hasFunctions(value, ['addEventListener', 'removeEventListener'])) return false;
  return typeof Reflect.get(Object(value), 'aborted') === 'boolean';
}
