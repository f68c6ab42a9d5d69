// The control endpoints under /__mock/: clock, faults, answers, scripts, journal, snapshot and
// reset. They need no login, because the service is a development tool.
import type { MockClock } from '../core/clock.js';
import { decodeBody, emptyResponse, jsonMessage, type ServiceRequest, type ServiceResponse } from '../core/messages.js';
import { anything, boolean, object, optional, readInteger, readString, refined, rfc3339 } from '../core/readers.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { VehicleScript } from '../script/script-types.js';
import type { Scripts } from '../script/scripts.js';
import type { VariantSetting } from '../variants/variant.js';
import type { Answers } from './answers.js';
import type { FaultRule } from './fault-rule.js';
import type { Faults } from './faults.js';
import type { RequestJournal } from './journal.js';

export interface ControlTargets {
  readonly clock: MockClock;
  readonly faults: Faults;
  readonly answers: Answers;
  readonly scripts: Scripts;
  readonly journal: RequestJournal;
  readonly variant: VariantSetting;
  readonly reset: () => void;
  readonly snapshot: () => object;
  /** Throws a TypeError when the value is not a snapshot. */
  readonly restore: (snapshot: unknown) => void;
}

const errorResponse = (status: number, message: string): ServiceResponse => jsonMessage(status, { error: message });

function bodyOf(request: ServiceRequest): unknown {
  try {
    return JSON.parse(decodeBody(request.body));
  } catch {
    throw new TypeError('the body is not JSON');
  }
}

const noOptions = object({}, 'the body');

const clockChange = refined(
  object(
    {
      advance: optional(readInteger(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
      set: optional(rfc3339),
      freeze: optional(boolean),
    },
    'the body',
  ),
  (change) => (Object.keys(change).length === 1 ? null : 'must have exactly one of advance, set and freeze'),
  'the body',
);

const vehicleScript = object({ vehicleId: readString, script: anything }, 'the body');

function changeClock(clock: MockClock, body: unknown): void {
  const { advance, set, freeze } = clockChange(body, '');
  if (advance !== undefined) clock.advance(advance);
  if (set !== undefined) clock.set(set);
  if (freeze !== undefined) clock.freeze(freeze);
}

type Action = (request: ServiceRequest) => ServiceResponse;

function noContent(action: () => void): ServiceResponse {
  action();
  return emptyResponse(204);
}

export function createControl(service: ControlTargets): (request: ServiceRequest, path: string) => ServiceResponse {
  const now = (): string => toRfc3339(service.clock.now());
  const actions: Readonly<Record<string, Action>> = {
    'GET health': () => jsonMessage(200, { status: 'ok', now: now() }),
    'GET requests': () => jsonMessage(200, { requests: service.journal.list() }),
    'DELETE requests': () => noContent(() => service.journal.clear()),
    'POST reset': (request) => {
      if (request.body.length > 0) noOptions(bodyOf(request), '');
      return noContent(service.reset);
    },
    'GET clock': () => jsonMessage(200, { now: now() }),
    'POST clock': (request) => {
      changeClock(service.clock, bodyOf(request));
      return jsonMessage(200, { now: now() });
    },
    'GET faults': () => jsonMessage(200, { faults: service.faults.list() }),
    // The called methods validate the bodies.
    'POST faults': (request) => jsonMessage(201, { id: service.faults.add(bodyOf(request) as FaultRule) }),
    'DELETE faults': () => noContent(() => service.faults.clear()),
    'POST scripts': (request) =>
      noContent(() => {
        const { vehicleId, script } = vehicleScript(bodyOf(request), '');
        service.scripts.script(vehicleId, script as VehicleScript);
      }),
    'GET scripts': () => jsonMessage(200, { scripts: service.scripts.list() }),
    'DELETE scripts': () => noContent(() => service.scripts.clear()),
    'POST answers': (request) => jsonMessage(201, { id: service.answers.addPlain(bodyOf(request)) }),
    'GET answers': () => jsonMessage(200, { answers: service.answers.list() }),
    'DELETE answers': () => noContent(() => service.answers.clear()),
    'GET variant': () => jsonMessage(200, service.variant.current),
    'PUT variant': (request) => noContent(() => service.variant.set(bodyOf(request))),
    'GET snapshot': () => jsonMessage(200, service.snapshot()),
    'PUT snapshot': (request) => noContent(() => service.restore(bodyOf(request))),
  };
  const methodsOf = (path: string): string[] =>
    Object.keys(actions).flatMap((key) => (key.endsWith(` ${path}`) ? key.slice(0, -path.length - 1) : []));
  return (request, path) => {
    const key = `${request.method} ${path}`;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (action === undefined) {
      const methods = methodsOf(path);
      if (methods.length === 0) return errorResponse(404, 'there is no control endpoint of this name');
      return jsonMessage(405, { error: 'wrong method' }, { allow: methods.join(', ') });
    }
    try {
      return action(request);
    } catch (error) {
      // Readers refuse a value with a TypeError or a RangeError.
      if (error instanceof TypeError || error instanceof RangeError) return errorResponse(400, error.message);
      throw error;
    }
  };
}
