// The memory and sockets of thousands of idle clients. docs/limits.md has the measured figures.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetClient } from '../src/client.js';
import type { Listening, MockService } from '../src/mock/service.js';
import { makeService } from './request/setup.js';
import { until } from './until.js';

setFlagsFromString('--expose-gc');
// The flag gives new contexts a gc.
const collect: () => void = runInNewContext('gc');

const COUNT = 1000;
/** Usernames, which are also the passwords. */
const tenants = Array.from({ length: COUNT }, (_, place) => `tenant-${place}`);

let service: MockService;
let listening: Listening;
beforeAll(async () => {
  const users = tenants.map((name) => ({ username: name, password: name, entries: [{ fleet: 'Demo Fleet' }] }));
  service = makeService({ users });
  listening = await service.listen();
});
afterAll(() => listening.close());

function clientOf(name: string): FleetClient {
  const credentials = { username: name, password: name };
  return new FleetClient({ baseUrl: listening.url, credentials, label: name, clock: service.clock });
}

const use = (fleet: FleetClient) => fleet.getRoles({}, { select: { name: true } });

/** The service listens in this process, so these are its ends of the connections. */
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** Returns the clients and the bytes that each holds, without the service's journal. */
async function weigh(make: () => Promise<FleetClient[]>): Promise<{ bytes: number; clients: FleetClient[] }> {
  const before = await heap();
  const clients = await make();
  await until(() => sockets() === 0);
  return { bytes: ((await heap()) - before) / clients.length, clients };
}

async function heap(): Promise<number> {
  service.clearRequests();
  // Recently released objects are freed by callbacks of the next turns.
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

async function inTurn(make: (name: string) => Promise<FleetClient>): Promise<FleetClient[]> {
  const clients: FleetClient[] = [];
  for (const name of tenants) clients.push(await make(name));
  return clients;
}

test('a client that was never used, or once, is small and keeps no connection; a fork is next to nothing', async () => {
  const first = clientOf('tenant-0');
  await use(first);
  const unused = await weigh(async () => tenants.map(clientOf));
  expect(unused.bytes).toBeLessThan(18 * 1024);

  // The first round creates the service's records of each login.
  const used = async (name: string) => {
    const fleet = clientOf(name);
    await use(fleet);
    return fleet;
  };
  const earlier = await weigh(() => inTurn(used));
  await Promise.all(earlier.clients.map((fleet) => fleet.close()));
  const again = await weigh(() => inTurn(used));
  expect(again.bytes).toBeLessThan(28 * 1024);

  const forks = await weigh(() =>
    inTurn(async () => {
      const fork = first.fork();
      await use(fork);
      return fork;
    }),
  );
  expect(forks.bytes).toBeLessThan(1024);
  expect(sockets()).toBe(0);
  await Promise.all([...unused.clients, ...again.clients, first].map((fleet) => fleet.close()));
});
