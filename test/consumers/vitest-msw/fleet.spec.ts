// A project's own tests without an injectable fetch: Mock Service Worker answers the global one.
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { mockHandlers } from 'fleet-telematics/mock/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

const baseUrl = 'http://fleet.example';
const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
const server = setupServer(...mockHandlers(service, baseUrl));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test('the global fetch meets the service', async () => {
  await using fleet = new FleetClient({
    baseUrl,
    credentials: { username: 'demo', password: 'demo' },
    fetch: globalThis.fetch,
  });
  expect(await fleet.getVehicles()).toHaveLength(3);
  expect((await fetch(`${baseUrl}/graphql`, { method: 'POST' })).status).toBe(401);
});
