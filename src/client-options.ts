// The options of a client and of a call, and their checks before anything is sent. Messages name
// the option, never its value.

import type { UserSelection } from './auth/acting-user.js';
import { type CredentialsSource, isCredentials } from './auth/credentials.js';
import type { TokenStore } from './auth/token-store.js';
import { findOperation } from './contract/find-operation.js';
import { baseUrlProblem } from './core/base-url.js';
import { InvalidInputError } from './core/errors.js';
import type { ClientHooks } from './core/hooks.js';
import { isObject } from './core/json.js';
import type { AnyCallOptions, RetryLimits } from './core/operation.js';
import {
  type Checks,
  callable,
  demand,
  finiteMs,
  flag,
  hasFunctions,
  isCount,
  members,
  numberFrom,
  oneOf,
  orFalse,
  pauseMs,
  positiveMs,
  problemIn,
  someIds,
} from './core/option-checks.js';
import type { Clock, Fetch } from './core/ports.js';
import { refusedInput } from './core/refused-input.js';
import { isUuid } from './core/uuid.js';
import type { Gate } from './locks/gate.js';
import type { EachOptions } from './request/each.js';
import { type HeadersOption, headersProblem, isHeaderValue } from './request/request-headers.js';
import type { RetryOptions } from './request/retry-policy.js';
import { eventOptionChecks, type WatchEventsOptions } from './telemetry/events/rule-events.js';
import { type StopOptions, stopChecks } from './telemetry/stops/stop.js';
import type { VehiclesStreamOptions } from './telemetry/streams/stream-snapshots.js';
import type { PeriodTripOptions } from './telemetry/trips/trip.js';
import { tripChecks } from './telemetry/trips/trip-limits.js';
import type { WatchGeofencesOptions, WatchOptions, WatchStatusOptions } from './telemetry/watch/events.js';
import type { TlsSettings } from './transport/http-transport.js';

export interface FleetClientOptions {
  /** The service's address (`http` or `https`), without `/graphql` or `/login/token`. */
  readonly baseUrl: string;
  /**
   * The credentials, or a function that returns them when a login is needed. If left out, the token
   * store must contain a session.
   */
  readonly credentials?: CredentialsSource | undefined;
  /**
   * The user to act for. Default: the only user of the login. With several users, calls fail with a
   * UserSelectionError that lists them.
   */
  readonly user?: UserSelection | undefined;
  /**
   * The scope of turns and session. `process` (the default): the clients of this thread share
   * turns. `machine`: all processes and threads with this config folder share both, as the command
   * line does.
   */
  readonly share?: 'process' | 'machine' | undefined;
  /** Grants the turns instead of `share`. When it fails, the call fails with GateError. */
  readonly gate?: Gate | undefined;
  /** Stores the session; replaces the token store that `share` selects. */
  readonly tokenStore?: TokenStore | undefined;
  /**
   * The key of the session in the token store. Default: the username. A session of another login is
   * never used: two logins with one key replace each other's session. Set it to the username when
   * `credentials` is a function, so that the function is not called while a session is stored.
   */
  readonly sessionKey?: string | undefined;
  /** The total time of a call in milliseconds, including all waiting. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The number of calls of one user that may wait for their turn. Another call fails at once with a
   * QueueFullError and nothing is sent. So an overloaded server refuses early, and its callers do
   * not all run into timeouts. A stream of snapshots or trips counts as one call until its first
   * answer. Its later requests, and those of a watch, do not count and are not refused. Default: no
   * limit.
   */
  readonly maxWaiting?: number | undefined;
  /** The number and the delays of retries. `false`: never. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Waiting queries of one user are merged into one request, at most `max` of them (default 50).
   * `false`: each query has its own request.
   */
  readonly merge?: { readonly max?: number | undefined } | false | undefined;
  /** Sends the requests; replaces the built-in connection pool. */
  readonly fetch?: Fetch | undefined;
  /**
   * TLS settings of the built-in connection pool. `ca`: the certificate authorities to trust
   * instead of Node's own, as PEM text. To add authorities to Node's own, set NODE_EXTRA_CA_CERTS
   * in the environment instead.
   */
  readonly tls?: TlsSettings | undefined;
  /**
   * Milliseconds without a byte after which a request is cancelled, and sent again where that is
   * safe. Login requests always have 10 s. Default: none, because a live report may take 30 s, and
   * the service still counts a cancelled request as active.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * The maximum size of a response in decompressed bytes; a larger one fails with a
   * ResponseTooLargeError. Default 268435456 (256 MiB). Streams read their rows while they arrive
   * and are not limited.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * True to include the service's messages in an error's `message`. The service may quote
   * variables, so by default its messages are only in `serviceErrors`, which no log shows.
   */
  readonly exposeServiceMessages?: boolean | undefined;
  /** The clock for token lifetimes and `serviceNow()`. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * Headers to add to every request, logins included, or a function that returns them for a
   * request. The function runs in the async context of the caller and must return at once; when it
   * throws, nothing is sent, and the call fails with HeadersError. The headers of the contract
   * (authorization, userId, fleetId, content-type) and those of the connection cannot be set.
   */
  readonly headers?: HeadersOption | undefined;
  /** The User-Agent of every request. Default: `fleet-telematics/<version> node/<version>`. */
  readonly userAgent?: string | undefined;
  /** The name of this client in events and in `stats()`. Default: the base URL. */
  readonly label?: string | undefined;
  /** Functions that are called during requests. */
  readonly hooks?: ClientHooks | undefined;
}

/** The options of `close`. */
export interface CloseOptions {
  /** Milliseconds that open calls have to finish. Default 0. */
  readonly drainMs?: number | undefined;
}

/** The options of a method call. `select` is checked later, because it depends on the operation. */
export type MethodOptions = AnyCallOptions & { readonly select?: unknown };

export function checkClientOptions(options: unknown): void {
  if (!isObject(options)) throw new InvalidInputError('FleetClient takes one object of options; baseUrl is needed.');
  const problem =
    checkBaseUrl(Reflect.get(options, 'baseUrl')) ??
    problemIn(options, clientChecks, 'FleetClient') ??
    conflictIn(options);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}

export function checkUser(user: unknown): void {
  const problem = userProblem(user);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}

export function readCloseOptions(options: CloseOptions | null | undefined): CloseOptions {
  return readOptions('close', options, closeChecks);
}

export function readEachOptions(items: unknown, change: unknown, options: EachOptions | null | undefined): EachOptions {
  const isList = typeof items === 'object' && items !== null && Symbol.iterator in items;
  if (!isList) throw refusedInput('each takes a list of items.', 'each');
  if (typeof change !== 'function') throw refusedInput('each takes a function that changes one item.', 'each');
  return readOptions('each', options, eachChecks);
}

export const NO_OPTIONS: MethodOptions = {};

/** Checks the options of a call. A null option, or null for all options, counts as left out. */
export function readCallOptions(operation: string, options: MethodOptions | null | undefined): MethodOptions {
  return readOptions(operation, options, callChecks);
}

type StreamOptions = MethodOptions & PeriodTripOptions & StopOptions & VehiclesStreamOptions;

/** Checks the options of a stream. `isOfMany`: of several vehicles. */
export function readStreamOptions(
  operation: keyof typeof streamChecks,
  options: StreamOptions | null | undefined,
  isOfMany: boolean,
): StreamOptions {
  const checks = streamChecks[operation];
  // For one vehicle the stream is a query of `getSnapshots`.
  const name = operation === 'streamSnapshots' && !isOfMany ? 'getSnapshots' : operation;
  return readOptions(name, options, isOfMany ? { ...checks, ...fleetChecks } : checks);
}

export function readStatusWatchOptions(options: WatchStatusOptions | null | undefined): WatchStatusOptions {
  return checkWatch('watchStatus', readOptions('watchStatus', options, statusWatchChecks));
}

export function readGeofenceWatchOptions(options: WatchGeofencesOptions | null | undefined): WatchGeofencesOptions {
  return checkWatch('watchGeofences', readOptions('watchGeofences', options, geofenceWatchChecks));
}

export function readEventWatchOptions(options: WatchEventsOptions | null | undefined): WatchEventsOptions {
  const checked = checkWatch('watchEvents', readOptions('watchEvents', options, eventWatchChecks));
  // The check of a missing option does not run.
  const problem = eventWatchChecks.rules(Reflect.get(checked, 'rules'), 'rules');
  if (problem !== null) throw refusedInput(`${problem}.`, 'watchEvents');
  return checked as WatchEventsOptions;
}

function checkWatch<Options extends WatchOptions>(operation: string, options: Options): Options {
  if (options.active !== true || options.vehicleIds === undefined) return options;
  throw refusedInput(`active has no effect on vehicleIds: leave one of the two out of ${operation}.`, operation);
}

type AnyOptions = MethodOptions & CloseOptions & EachOptions;

function readOptions(operation: string, options: AnyOptions | null | undefined, checks: Checks): AnyOptions {
  if (options === undefined || options === null) return NO_OPTIONS;
  const checked = isObject(options) ? withoutNulls(options) : null;
  const problem = checked
    ? problemIn(checked, checks, operation, { offered: offeredBy(operation, checks) })
    : `The options of ${operation} must be one object: ${offeredBy(operation, checks).join(', ')}`;
  if (!checked || problem !== null) throw refusedInput(`${problem}.`, operation);
  return checked;
}

/** Returns the options in the types: `idempotent` only for changes, `select` only for records. */
function offeredBy(operation: string, checks: Checks): string[] {
  const knownOperation = findOperation(operation);
  const isChange = knownOperation === undefined ? checks === callChecks : knownOperation.kind === 'mutation';
  return Object.keys(checks).filter(
    (name) => (name !== 'idempotent' || isChange) && (name !== 'select' || !knownOperation?.returns.leaf),
  );
}

function withoutNulls(options: AnyOptions): AnyOptions {
  const all = Object.entries(options);
  return all.some(([, value]) => value === null)
    ? Object.fromEntries(all.filter(([, value]) => value !== null))
    : options;
}

const signalCheck = demand(
  isSignal,
  'an AbortSignal: an object with a boolean aborted and the functions addEventListener and removeEventListener',
);

const hookChecks: Checks<keyof ClientHooks> = {
  onRequest: callable,
  onResponse: callable,
  onRetry: callable,
  onCall: callable,
  onSession: callable,
  onWarning: callable,
};

const limitChecks: Checks<keyof RetryLimits> = {
  attempts: demand((value) => isCount(value) || value === Number.POSITIVE_INFINITY, 'a whole number above 0'),
  forMs: pauseMs,
};

const retryChecks: Checks<keyof RetryOptions> = {
  ...limitChecks,
  baseDelayMs: pauseMs,
  maxDelayMs: pauseMs,
};

const mergeChecks: Checks<'max'> = { max: demand(isCount, 'a whole number above 0; merge: false turns merging off') };

const closeChecks: Checks<keyof CloseOptions> = { drainMs: pauseMs };

const eachChecks: Checks<keyof EachOptions> = {
  concurrency: demand(isCount, 'a whole number above 0'),
  stopAfter: demand((value) => isCount(value) || value === Number.POSITIVE_INFINITY, 'a whole number above 0'),
  signal: signalCheck,
};

const tlsChecks: Checks<keyof TlsSettings> = {
  ca: demand(
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isPem) : isPem(value)),
    'certificates in PEM form, or a list of them: the text of the file, not its path',
  ),
};

const clientChecks: Checks<keyof FleetClientOptions> = {
  baseUrl: checkBaseUrl,
  credentials: (value, name) => {
    if (typeof value === 'function' || isCredentials(value)) return null;
    const empty = isObject(value) ? ['username', 'password'].find((part) => value[part] === '') : undefined;
    if (empty !== undefined) return `${name}.${empty} is empty; it must be a non-empty string`;
    return `${name} must be { username, password }, two non-empty strings, or a function that gives them`;
  },
  user: userProblem,
  share: oneOf('process', 'machine'),
  gate: demand((value) => hasFunctions(value, ['hold']), 'a gate: an object with a function hold'),
  tokenStore: demand(
    (value) => hasFunctions(value, ['load', 'save', 'clear', 'withLock']),
    'a token store: an object with the functions load, save, clear and withLock',
  ),
  sessionKey: demand((value) => typeof value === 'string' && value !== '', 'a non-empty string'),
  timeoutMs: positiveMs,
  maxWaiting: demand(
    (value) => value === 0 || isCount(value) || value === Number.POSITIVE_INFINITY,
    'a whole number, 0 or more, or Infinity',
  ),
  retry: orFalse(members(retryChecks, 'false or { attempts, forMs, baseDelayMs, maxDelayMs }')),
  merge: orFalse(members(mergeChecks, 'false or { max }')),
  fetch: callable,
  tls: members(tlsChecks, '{ ca }'),
  attemptTimeoutMs: positiveMs,
  maxResponseBytes: demand(
    (value) => isCount(value) || value === Number.POSITIVE_INFINITY,
    'a whole number of bytes above 0, or Infinity',
  ),
  exposeServiceMessages: flag,
  clock: demand((value) => hasFunctions(value, ['now']), 'a clock: an object with a function now'),
  headers: (value, name) => (typeof value === 'function' ? null : headersProblem(value, name)),
  userAgent: demand((value) => value !== '' && isHeaderValue(value), 'a non-empty string that fits in a header'),
  label: demand((value) => typeof value === 'string' && value !== '', 'a non-empty string'),
  hooks: members(hookChecks, 'an object of functions'),
};

const callChecks: Checks<keyof MethodOptions> = {
  select: () => null,
  signal: signalCheck,
  timeoutMs: positiveMs,
  attemptTimeoutMs: positiveMs,
  retry: members(limitChecks, '{ attempts, forMs }'),
  headers: headersProblem,
  partial: flag,
  onWarning: callable,
  idempotent: flag,
  priority: oneOf('high', 'normal', 'low'),
};

const { select: _, ...checksWithoutSelect } = callChecks;
const streamChecks = {
  streamSnapshots: callChecks,
  streamTrips: { ...checksWithoutSelect, ...tripChecks, clip: flag },
  streamStops: { ...checksWithoutSelect, ...stopChecks },
} satisfies Record<string, Checks>;

const fleetChecks: Checks<keyof VehiclesStreamOptions> = {
  onEvent: callable,
  answerBytes: numberFrom(65_536),
};

const recordsWith = (...names: readonly string[]) =>
  demand(
    (value) => Array.isArray(value) && value.every((record) => isObject(record) && hasTexts(record, names)),
    `a list of objects with ${names.join(' and ')}`,
  );
const metres = demand((value) => Number.isFinite(value) && Number(value) >= 0, 'a number of metres, 0 or more');

const watchChecks: Checks<keyof WatchOptions> = {
  intervalMs: finiteMs,
  vehicleIds: someIds,
  active: flag,
  snapshot: flag,
  signal: callChecks.signal,
  timeoutMs: positiveMs,
};

const statusWatchChecks: Checks<keyof WatchStatusOptions> = {
  ...watchChecks,
  previous: recordsWith('vehicleId', 'status'),
  minMoveMetres: metres,
  staleAfterMs: positiveMs,
  offlineAfterMs: positiveMs,
};

const geofenceWatchChecks: Checks<keyof WatchGeofencesOptions> = {
  ...watchChecks,
  geofenceIds: someIds,
  previous: recordsWith('vehicleId', 'geofenceId'),
  hysteresisMetres: metres,
  radiusMetres: metres,
  refreshMs: positiveMs,
};

const { snapshot: __, ...sharedWatchChecks } = watchChecks;
const eventWatchChecks: Checks<keyof WatchEventsOptions> = {
  ...sharedWatchChecks,
  ...eventOptionChecks,
};

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
  if (key === 'fleetName')
    return typeof text === 'string' && text !== '' ? null : 'user.fleetName must be a non-empty string';
  // Some services number their users.
  if (typeof text === 'string' && (isUuid(text) || /^\d+$/.test(text))) return null;
  return `user.${key} must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000`;
}

/** Node accepts any text as certificates and fails only when it connects. */
function isPem(value: unknown): boolean {
  return (typeof value === 'string' || Buffer.isBuffer(value)) && value.includes('-----BEGIN CERTIFICATE-----');
}

function hasTexts(value: object, names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(value, name) === 'string');
}

/** Checks the shape only, because a signal may come from a polyfill or another realm. */
function isSignal(value: unknown): boolean {
  if (!hasFunctions(value, ['addEventListener', 'removeEventListener'])) return false;
  return typeof Reflect.get(Object(value), 'aborted') === 'boolean';
}
