// The control endpoints under /__mock/: clock, faults, journal, snapshot and reset. They need no login, because the service is a
// development tool.
import type { MockClock } from '../core/clock.js';
import { isJsonObject, type JsonObject } from '../core/json-object.js';
import { bodyText, emptyResponse, json, type ServiceRequest, type ServiceResponse } from '../core/messages.js';
import { parseRfc3339, toRfc3339 } from '../core/rfc3339.js';
import type { VehicleScript } from '../script/script-types.js';
import type { Scripts } from '../script/scripts.js';
import type { VariantSetting } from '../variants/variant.js';
import type { Answers } from './answers.js';
import type { FaultRule } from './fault-rule.js';
import type { Faults } from './faults.js';
import type { Journal } from './journal.js';

export interface ControlTargets {
  readonly clock: MockClock;
  readonly faults: Faults;
  readonly answers: Answers;
  readonly scripts: Scripts;
  readonly journal: Journal;
  readonly variant: VariantSetting;
  readonly reset: () => void;
  readonly snapshot: () => object;
  /** Checks the value and throws a TypeError when it is not a snapshot. */
  readonly restore: (snapshot: unknown) => void;
}

/** Refuses a request; its message is the response. */
class InvalidControlRequest extends Error {}

const errorResponse = (status: number, message: string): ServiceResponse => json(status, { error: message });

function readJsonObject(request: ServiceRequest): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(bodyText(request.body));
  } catch {
    throw new InvalidControlRequest('the body is not JSON');
  }
  if (!isJsonObject(body)) throw new InvalidControlRequest('the body must be a JSON object');
  return body;
}

/** Accepts an empty body or an empty object only. */
function requireNoOptions(request: ServiceRequest): void {
  if (request.body.length > 0 && Object.keys(readJsonObject(request)).length > 0)
    throw new InvalidControlRequest('this takes no options');
}

function changeClock(clock: MockClock, change: JsonObject): void {
  const entries = Object.entries(change);
  const [key, value] = entries[0] ?? [];
  if (entries.length !== 1)
    throw new InvalidControlRequest('the body must have exactly one of advance, set and freeze');
  if (key === 'advance') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new InvalidControlRequest('advance must be whole milliseconds');
    clock.advance(value);
  } else if (key === 'set') {
    const time = parseRfc3339(value);
    if (time === null) throw new InvalidControlRequest('set must be an RFC 3339 time');
    clock.set(time);
  } else if (key === 'freeze') {
    if (typeof value !== 'boolean') throw new InvalidControlRequest('freeze must be true or false');
    clock.freeze(value);
  } else throw new InvalidControlRequest('the body must have exactly one of advance, set and freeze');
}

type Action = (request: ServiceRequest) => ServiceResponse;

function noContent(action: () => void): ServiceResponse {
  action();
  return emptyResponse(204);
}

/** Answers `/__mock/<path>`. */
export function createControl(service: ControlTargets): (request: ServiceRequest, path: string) => ServiceResponse {
  const now = (): string => toRfc3339(service.clock.now());
  const actions: Readonly<Record<string, Action>> = {
    'GET health': () => json(200, { status: 'ok', now: now() }),
    'GET requests': () => json(200, { requests: service.journal.list() }),
    'DELETE requests': () => noContent(() => service.journal.clear()),
    'POST reset': (request) => {
      requireNoOptions(request);
      return noContent(service.reset);
    },
    'GET clock': () => json(200, { now: now() }),
    'POST clock': (request) => {
      changeClock(service.clock, readJsonObject(request));
      return json(200, { now: now() });
    },
    'GET faults': () => json(200, { faults: service.faults.list() }),
    // `add` checks the rule.
    'POST faults': (request) => json(201, { id: service.faults.add(readJsonObject(request) as unknown as FaultRule) }),
    'DELETE faults': () => noContent(() => service.faults.clear()),
    // `script` checks the script.
    'POST scripts': (request) =>
      noContent(() => {
        const { vehicleId, script, ...others } = readJsonObject(request);
        if (vehicleId === undefined || script === undefined || Object.keys(others).length > 0)
          throw new InvalidControlRequest('the body must have vehicleId and script, and nothing else');
        service.scripts.script(String(vehicleId), script as VehicleScript);
      }),
    'GET scripts': () => json(200, { scripts: service.scripts.list() }),
    'DELETE scripts': () => noContent(() => service.scripts.clear()),
    'POST answers': (request) => json(201, { id: service.answers.addPlain(readJsonObject(request)) }),
    'GET answers': () => json(200, { answers: service.answers.list() }),
    'DELETE answers': () => noContent(() => service.answers.clear()),
    'GET variant': () => json(200, service.variant.current),
    // `set` checks the variant.
    'PUT variant': (request) => noContent(() => service.variant.set(readJsonObject(request))),
    'GET snapshot': () => json(200, service.snapshot()),
    'PUT snapshot': (request) => noContent(() => service.restore(readJsonObject(request))),
  };
  const methodsOf = (path: string): string[] =>
    Object.keys(actions).flatMap((key) => (key.endsWith(` ${path}`) ? key.slice(0, -path.length - 1) : []));
  return (request, path) => {
    const key = `${request.method} ${path}`;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (action === undefined) {
      const methods = methodsOf(path);
      if (methods.length === 0) return errorResponse(404, 'there is no control endpoint of this name');
      return json(405, { error: 'wrong method' }, { allow: methods.join(', ') });
    }
    try {
      return action(request);
    } catch (error) {
      // Clock, faults and store refuse a value with a TypeError or a RangeError.
      if (error instanceof InvalidControlRequest || error instanceof TypeError || error instanceof RangeError) {
        return errorResponse(400, error.message);
      }
      throw error;
    }
  };
}
