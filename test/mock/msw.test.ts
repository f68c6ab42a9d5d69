// The service as handlers of Mock Service Worker.
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mockHandlers } from '../../src/mock/msw.js';
import { caller, frozenService } from './caller.js';

const service = frozenService();
const server = setupServer(...mockHandlers(service, 'http://mock.test/api/'));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test('answers carry the time of the service’s clock', async () => {
  service.clock.set('2031-05-06T07:08:09Z');
  const answer = await fetch('http://mock.test/api/login/userinfo');
  expect(answer.headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT');
  service.clock.set(new Date());
});

test('the global fetch reaches the service, faults included', async () => {
  const demo = await caller(globalThis.fetch);
  expect((await demo.data('{ getVehicles { id } }')).getVehicles).toHaveLength(25);
  service.faults.add({ kind: 'reset', operation: 'getRoles' });
  await expect(demo('{ getRoles { id } }')).rejects.toThrow('Failed to fetch');
  expect((await demo('{ getRoles { id } }')).status).toBe(200);
});
