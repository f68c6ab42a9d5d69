// A call that ends on the fake clock of node:test does not affect later tests.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const credentials = { username: 'demo', password: 'demo' };

/** @param {{ isInProcess: boolean, apis?: string[] }} way of the requests, and what is faked */
export function endsOnTheFakeClock({ isInProcess, apis }) {
  describe('a call that ends on the fake clock', { timeout: 20_000 }, () => {
    const service = createMockService({ vehicles: 3 });
    let server;
    let fleet;
    const connect = () =>
      isInProcess
        ? new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: service.fetch })
        : new FleetClient({ baseUrl: server.url, credentials });
    before(async () => {
      server = await service.listen();
      fleet = connect();
    });
    after(async () => {
      await fleet.close();
      await server.close();
    });
    afterEach(() => {
      mock.timers.reset();
      service.reset();
    });

    test('ends with TIMEOUT', async () => {
      await fleet.connect();
      service.faults.add({ kind: 'delay', ms: 120_000, operation: 'getRoles' });
      mock.timers.enable(apis ? { apis } : undefined);
      const call = fleet.getRoles({}, { timeoutMs: 30_000 }).catch((error) => error);
      // The delay is used up as soon as the request has arrived.
      while (service.faults.list().length > 0) await turn();
      mock.timers.tick(30_000);
      assert.equal((await call).code, 'TIMEOUT');
    });

    test('does not concern a new client, nor the next call of the same one', async () => {
      const another = connect();
      assert.equal((await another.getVehicles()).length, 3);
      await another.close();
      assert.equal((await fleet.getVehicles()).length, 3);
    });
  });
}
