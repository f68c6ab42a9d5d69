// A reference service and its clients. The service has its own clock, moved by hand.

import type { UserSelection } from '../../src/auth/acting-user.js';
import { BaseClient } from '../../src/base-client.js';
import { FleetClient, type FleetClientOptions } from '../../src/index.js';
import { createMockService, type MockService, type MockServiceOptions } from '../../src/mock/service.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { closeAfterTests } from '../open-clients.js';

/** 1 March 2026, noon; tests move it. */
export const START = Date.parse('2026-03-01T12:00:00Z');

export function makeService(options: MockServiceOptions = {}): MockService {
  return createMockService({ vehicles: 5, clock: { now: () => START }, ...options });
}

export function makeClient(service: MockService, options: Partial<FleetClientOptions> = {}): FleetClient {
  const made = new FleetClient({
    baseUrl: 'http://service.test/api',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
    retry: { attempts: 5, baseDelayMs: 1, maxDelayMs: 2 },
    ...options,
  });
  return closeAfterTests(made);
}

export class ClientOver extends BaseClient {
  readonly #transport: () => HttpTransport;

  constructor(transport: () => HttpTransport, options: FleetClientOptions) {
    super(options, transport);
    this.#transport = transport;
  }

  forUser(user: UserSelection): ClientOver {
    return new ClientOver(this.#transport, this.optionsFor(user));
  }

  fork(): ClientOver {
    return new ClientOver(this.#transport, this.optionsOfFork());
  }
}

export function statusesOf(service: MockService, path: string): number[] {
  return service.requests.filter((entry) => entry.path.endsWith(path)).map((entry) => entry.status);
}

export function countRuns(service: MockService, operation: string): number {
  return service.requests.filter((entry) => entry.operations.includes(operation)).length;
}

/** Returns the rejection of a promise; fails when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

export function createDeferred<T = void>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
