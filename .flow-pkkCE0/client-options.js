import { isCredentials } from "./auth/credentials.js";
import { findOperation } from "./contract/find-operation.js";
import { baseUrlProblem } from "./core/base-url.js";
import { InvalidInputError } from "./core/errors.js";
import { isObject } from "./core/json.js";
import {
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
  someIds
} from "./core/option-checks.js";
import { refusedInput } from "./core/refused-input.js";
import { isUuid } from "./core/uuid.js";
import { headersProblem, isHeaderValue } from "./request/request-headers.js";
import { eventOptionChecks } from "./telemetry/events/rule-events.js";
import { stopChecks } from "./telemetry/stops/stop.js";
import { tripChecks } from "./telemetry/trips/trip-limits.js";
function checkClientOptions(options) {
  if (!isObject(options)) throw new InvalidInputError("FleetClient takes one object of options; baseUrl is needed.");
  const problem = checkBaseUrl(Reflect.get(options, "baseUrl")) ?? problemIn(options, clientChecks, "FleetClient") ?? conflictIn(options);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}
function checkUser(user) {
  const problem = userProblem(user);
  if (problem !== null) throw new InvalidInputError(`${problem}.`);
}
function readCloseOptions(options) {
  return readOptions("close", options, closeChecks);
}
function readEachOptions(items, change, options) {
  const isList = typeof items === "object" && items !== null && Symbol.iterator in items;
  if (!isList) throw refusedInput("each takes a list of items.", "each");
  if (typeof change !== "function") throw refusedInput("each takes a function that changes one item.", "each");
  return readOptions("each", options, eachChecks);
}
const NO_OPTIONS = {};
function readCallOptions(operation, options) {
  return readOptions(operation, options, callChecks);
}
function readStreamOptions(operation, options, isOfMany) {
  const checks = streamChecks[operation];
  const name = operation === "streamSnapshots" && !isOfMany ? "getSnapshots" : operation;
  return readOptions(name, options, isOfMany ? { ...checks, ...fleetChecks } : checks);
}
function readStatusWatchOptions(options) {
  return checkWatch("watchStatus", readOptions("watchStatus", options, statusWatchChecks));
}
function readGeofenceWatchOptions(options) {
  return checkWatch("watchGeofences", readOptions("watchGeofences", options, geofenceWatchChecks));
}
function readEventWatchOptions(options) {
  const given = checkWatch("watchEvents", readOptions("watchEvents", options, eventWatchChecks));
  const problem = eventWatchChecks.rules(Reflect.get(given, "rules"), "rules");
  if (problem !== null) throw refusedInput(`${problem}.`, "watchEvents");
  return given;
}
function checkWatch(operation, options) {
  if (options.active !== true || options.vehicleIds === void 0) return options;
  throw refusedInput(`active has no effect on vehicleIds: leave one of the two out of ${operation}.`, operation);
}
function readOptions(operation, options, checks) {
  if (options === void 0 || options === null) return NO_OPTIONS;
  const given = isObject(options) ? withoutNulls(options) : null;
  const problem = given ? problemIn(given, checks, operation, { offered: offeredBy(operation, checks) }) : `The options of ${operation} must be one object: ${offeredBy(operation, checks).join(", ")}`;
  if (!given || problem !== null) throw refusedInput(`${problem}.`, operation);
  return given;
}
function offeredBy(operation, checks) {
  const known = findOperation(operation);
  const isChange = known === void 0 ? checks === callChecks : known.kind === "mutation";
  return Object.keys(checks).filter(
    (name) => (name !== "idempotent" || isChange) && (name !== "select" || !known?.returns.leaf)
  );
}
function withoutNulls(options) {
  const all = Object.entries(options);
  return all.some(([, value]) => value === null) ? Object.fromEntries(all.filter(([, value]) => value !== null)) : options;
}
const signalCheck = demand(
  isSignal,
  "an AbortSignal: an object with a boolean aborted and the functions addEventListener and removeEventListener"
);
const hookChecks = {
  onRequest: callable,
  onResponse: callable,
  onRetry: callable,
  onCall: callable,
  onSession: callable,
  onWarning: callable
};
const limitChecks = {
  attempts: demand((value) => isCount(value) || value === Number.POSITIVE_INFINITY, "a whole number above 0"),
  forMs: pauseMs
};
const retryChecks = {
  ...limitChecks,
  baseDelayMs: pauseMs,
  maxDelayMs: pauseMs
};
const mergeChecks = { max: demand(isCount, "a whole number above 0; merge: false turns merging off") };
const closeChecks = { drainMs: pauseMs };
const eachChecks = {
  concurrency: demand(isCount, "a whole number above 0"),
  stopAfter: demand((value) => isCount(value) || value === Number.POSITIVE_INFINITY, "a whole number above 0"),
  signal: signalCheck
};
const tlsChecks = {
  ca: demand(
    (value) => Array.isArray(value) ? value.length > 0 && value.every(isPem) : isPem(value),
    "certificates in PEM form, or a list of them: the text of the file, not its path"
  )
};
const clientChecks = {
  baseUrl: checkBaseUrl,
  credentials: (value, name) => {
    if (typeof value === "function" || isCredentials(value)) return null;
    const empty = isObject(value) ? ["username", "password"].find((part) => value[part] === "") : void 0;
    if (empty !== void 0) return `${name}.${empty} is empty; it must be a non-empty string`;
    return `${name} must be { username, password }, two non-empty strings, or a function that gives them`;
  },
  user: userProblem,
  share: oneOf("process", "machine"),
  gate: demand((value) => hasFunctions(value, ["hold"]), "a gate: an object with a function hold"),
  tokenStore: demand(
    (value) => hasFunctions(value, ["load", "save", "clear", "withLock"]),
    "a token store: an object with the functions load, save, clear and withLock"
  ),
  sessionKey: demand((value) => typeof value === "string" && value !== "", "a non-empty string"),
  timeoutMs: positiveMs,
  maxWaiting: demand(
    (value) => value === 0 || isCount(value) || value === Number.POSITIVE_INFINITY,
    "a whole number, 0 or more, or Infinity"
  ),
  retry: orFalse(members(retryChecks, "false or { attempts, forMs, baseDelayMs, maxDelayMs }")),
  merge: orFalse(members(mergeChecks, "false or { max }")),
  fetch: callable,
  tls: members(tlsChecks, "{ ca }"),
  attemptTimeoutMs: positiveMs,
  maxResponseBytes: demand(
    (value) => isCount(value) || value === Number.POSITIVE_INFINITY,
    "a whole number of bytes above 0, or Infinity"
  ),
  exposeServiceMessages: flag,
  clock: demand((value) => hasFunctions(value, ["now"]), "a clock: an object with a function now"),
  headers: (value, name) => typeof value === "function" ? null : headersProblem(value, name),
  userAgent: demand((value) => value !== "" && isHeaderValue(value), "a non-empty string that fits in a header"),
  label: demand((value) => typeof value === "string" && value !== "", "a non-empty string"),
  hooks: members(hookChecks, "an object of functions")
};
const callChecks = {
  select: () => null,
  signal: signalCheck,
  timeoutMs: positiveMs,
  attemptTimeoutMs: positiveMs,
  retry: members(limitChecks, "{ attempts, forMs }"),
  headers: headersProblem,
  partial: flag,
  onWarning: callable,
  idempotent: flag,
  priority: oneOf("high", "normal", "low")
};
const { select: _, ...checksWithoutSelect } = callChecks;
const streamChecks = {
  streamSnapshots: callChecks,
  streamTrips: { ...checksWithoutSelect, ...tripChecks, clip: flag },
  streamStops: { ...checksWithoutSelect, ...stopChecks }
};
const fleetChecks = {
  onEvent: callable,
  answerBytes: numberFrom(65536)
};
const recordsWith = (...names) => demand(
  (value) => Array.isArray(value) && value.every((record) => isObject(record) && hasTexts(record, names)),
  `a list of objects with ${names.join(" and ")}`
);
const metres = demand((value) => Number.isFinite(value) && Number(value) >= 0, "a number of metres, 0 or more");
const watchChecks = {
  intervalMs: finiteMs,
  vehicleIds: someIds,
  active: flag,
  snapshot: flag,
  signal: callChecks.signal,
  timeoutMs: positiveMs
};
const statusWatchChecks = {
  ...watchChecks,
  previous: recordsWith("vehicleId", "status"),
  minMoveMetres: metres,
  staleAfterMs: positiveMs,
  offlineAfterMs: positiveMs
};
const geofenceWatchChecks = {
  ...watchChecks,
  geofenceIds: someIds,
  previous: recordsWith("vehicleId", "geofenceId"),
  hysteresisMetres: metres,
  radiusMetres: metres,
  refreshMs: positiveMs
};
const { snapshot: __, ...sharedWatchChecks } = watchChecks;
const eventWatchChecks = {
  ...sharedWatchChecks,
  ...eventOptionChecks
};
function conflictIn(options) {
  if (Reflect.get(options, "fetch") === void 0 || Reflect.get(options, "tls") === void 0) return null;
  return "tls has no effect on a fetch of your own: leave one of the two out";
}
function checkBaseUrl(value) {
  switch (baseUrlProblem(value)) {
    case null:
      return null;
    case "no http(s) address":
      return "baseUrl must be an address that starts with http:// or https://";
    case "holds credentials":
      return "baseUrl must hold no username or password: give them as credentials";
    case "has a query or fragment":
      return "baseUrl must end with its path: no ? and no #";
  }
}
function userProblem(value) {
  const named = isObject(value) ? Object.entries(value).filter(([, one]) => one !== void 0) : [];
  const [only] = named;
  if (!only || named.length !== 1 || !["userId", "fleetId", "fleetName"].includes(only[0])) {
    return "user must be one of { userId }, { fleetId } and { fleetName }";
  }
  const [key, text] = only;
  if (key === "fleetName")
    return typeof text === "string" && text !== "" ? null : "user.fleetName must be a non-empty string";
  if (typeof text === "string" && (isUuid(text) || /^\d+$/.test(text))) return null;
  return `user.${key} must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000`;
}
function isPem(value) {
  return (typeof value === "string" || Buffer.isBuffer(value)) && value.includes("-----BEGIN CERTIFICATE-----");
}
function hasTexts(value, names) {
  return names.every((name) => typeof Reflect.get(value, name) === "string");
}
function isSignal(value) {
  if (!hasFunctions(value, ["addEventListener", "removeEventListener"])) return false;
  return typeof Reflect.get(Object(value), "aborted") === "boolean";
}
export {
  NO_OPTIONS,
  checkClientOptions,
  checkUser,
  readCallOptions,
  readCloseOptions,
  readEachOptions,
  readEventWatchOptions,
  readGeofenceWatchOptions,
  readStatusWatchOptions,
  readStreamOptions
};
