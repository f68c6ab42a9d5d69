// Driving the service over HTTP: everything under /__mock/. No login is needed; the service is a tool on one's own machine.

import { rfc3339 } from '../graphql/scalars.js';
import { empty, json, type ServiceRequest, type ServiceResponse, text } from '../http/messages.js';
import type { StoreSnapshot } from '../store/store.js';
import type { MockClock } from './clock.js';
import type { FaultRule } from './fault-rule.js';
import type { Faults } from './faults.js';
import type { Journal } from './journal.js';

export interface Controlled {
  readonly clock: MockClock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly reset: () => void;
  readonly snapshot: () => StoreSnapshot;
  /** Checks the value itself, whatever it is. */
  readonly restore: (snapshot: unknown) => void;
}

/** What the caller got wrong; its message is the answer. */
class Misuse extends Error {}

const problem = (status: number, message: string): ServiceResponse => json(status, { error: message });

function bodyObject(request: ServiceRequest): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text(request.body));
  } catch {
    throw new Misuse('the body is not JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Misuse('the body must be a JSON object');
  // Just found to be an object that is no list.
  return body as Readonly<Record<string, unknown>>;
}

/** An empty body or an empty object: for endpoints that take no options. */
function expectNothing(request: ServiceRequest): void {
  if (request.body.length > 0 && Object.keys(bodyObject(request)).length > 0) throw new Misuse('this takes no options');
}

function moveClock(clock: MockClock, change: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(change);
  const [key, value] = entries[0] ?? [];
  if (entries.length !== 1) throw new Misuse('say one of advance, set, freeze');
  if (key === 'advance') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new Misuse('advance must be whole milliseconds');
    clock.advance(value);
  } else if (key === 'set') {
    const time = rfc3339(value);
    if (time === null) throw new Misuse('set must be an RFC 3339 time');
    clock.set(time);
  } else if (key === 'freeze') {
    if (typeof value !== 'boolean') throw new Misuse('freeze must be true or false');
    clock.freeze(value);
  } else throw new Misuse('say one of advance, set, freeze');
}

type Action = (request: ServiceRequest) => ServiceResponse;

function done(action: () => void): ServiceResponse {
  action();
  return empty(204);
}

/** Answers `/__mock/<path>`. */
export function createControl(service: Controlled): (request: ServiceRequest, path: string) => ServiceResponse {
  const now = (): string => new Date(service.clock.now()).toISOString();
  const actions: Readonly<Record<string, Action>> = {
    'GET health': () => json(200, { status: 'ok', now: now() }),
    'GET requests': () => json(200, { requests: service.journal.list() }),
    'DELETE requests': () => done(() => service.journal.clear()),
    'POST reset': (request) => {
      expectNothing(request);
      return done(service.reset);
    },
    'GET clock': () => json(200, { now: now() }),
    'POST clock': (request) => {
      moveClock(service.clock, bodyObject(request));
      return json(200, { now: now() });
    },
    'GET faults': () => json(200, { faults: service.faults.list() }),
    // `add` checks the rule itself, whatever it is.
    'POST faults': (request) => json(201, { id: service.faults.add(bodyObject(request) as unknown as FaultRule) }),
    'DELETE faults': () => done(() => service.faults.clear()),
    'GET snapshot': () => json(200, service.snapshot()),
    'PUT snapshot': (request) => done(() => service.restore(bodyObject(request))),
  };
  const methodsOf = (path: string): string[] =>
    Object.keys(actions).flatMap((key) => (key.endsWith(` ${path}`) ? key.slice(0, -path.length - 1) : []));
  return (request, path) => {
    const key = `${request.method} ${path}`;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (action === undefined) {
      const methods = methodsOf(path);
      if (methods.length === 0) return problem(404, 'there is no such control');
      return json(405, { error: 'wrong method' }, { allow: methods.join(', ') });
    }
    try {
      return action(request);
    } catch (error) {
      // Misuse, and the TypeErrors and RangeErrors with which the parts refuse a value.
      if (error instanceof Misuse || error instanceof TypeError || error instanceof RangeError) {
        return problem(400, error.message);
      }
      throw error;
    }
  };
}
