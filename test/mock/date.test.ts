// The Date header shows the service's own clock, however the service is mounted.
import { expect, onTestFinished, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';

function frozenClockService() {
  const service = createMockService();
  service.clock.freeze(true);
  service.clock.set('2026-03-02T09:30:00.900Z');
  return service;
}

const paths = ['/login/userinfo', '/graphql', '/graphiql', '/__mock/health', '/nothing'];

test.each(paths)('over HTTP: %s', async (path) => {
  const service = frozenClockService();
  const server = await service.listen();
  onTestFinished(() => server.close());
  expect((await fetch(`${server.url}${path}`)).headers.get('date')).toBe('Mon, 02 Mar 2026 09:30:00 GMT');
  await fetch(`${server.url}/__mock/clock`, { method: 'POST', body: '{"advance": 86400000}' });
  expect((await fetch(`${server.url}${path}`)).headers.get('date')).toBe('Tue, 03 Mar 2026 09:30:00 GMT');
});

test.each(paths)('through its fetch: %s', async (path) => {
  const service = frozenClockService();
  const answer = await service.fetch(`http://mock.test${path}`);
  expect(answer.headers.get('date')).toBe('Mon, 02 Mar 2026 09:30:00 GMT');
});

test('a body that is refused while it arrives has none, rather than that of this machine', async () => {
  const server = await frozenClockService().listen();
  onTestFinished(() => server.close());
  const answer = await fetch(`${server.url}/graphql`, { method: 'POST', body: 'x'.repeat(8 * 1024 * 1024 + 1) });
  expect({ status: answer.status, date: answer.headers.get('date') }).toEqual({ status: 413, date: null });
});
