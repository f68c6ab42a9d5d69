// Two copies of the package in one program, as tsx loads them for `import` and `require`.
import { expect, onTestFinished, test, vi } from 'vitest';
import { FleetClient } from '../../src/index.js';
import { makeService, statusesOf } from './setup.js';

test('take turns with each other, whether connections are their own or a fetch of the program', async () => {
  vi.resetModules();
  const copy = await import('../../src/index.js');
  expect(copy.FleetClient).not.toBe(FleetClient);
  const service = makeService({ latencyMs: 1 });
  const listening = await service.listen();
  onTestFinished(() => listening.close());
  const options = {
    baseUrl: listening.url,
    credentials: { username: 'demo', password: 'demo' },
    merge: false,
  } as const;
  for (const own of [{}, { fetch: service.fetch }]) {
    service.clearRequests();
    const clients = [new FleetClient({ ...options, ...own }), new copy.FleetClient({ ...options, ...own })];
    await Promise.all(clients.flatMap((fleet) => Array.from({ length: 5 }, () => fleet.getRoles())));
    expect(statusesOf(service, '/graphql')).toEqual(Array(10).fill(200));
    await Promise.all(clients.map((fleet) => fleet.close()));
  }
});
