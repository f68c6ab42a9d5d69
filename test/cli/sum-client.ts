// A client of the SDK for the service of the command line tests.
import { FleetClient } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { baseUrl } from './harness.js';

export function mockClient(mock: MockService): FleetClient {
  return new FleetClient({
    baseUrl,
    credentials: { username: 'demo', password: 'demo' },
    fetch: mock.fetch,
    clock: mock.clock,
    share: 'process',
  });
}
