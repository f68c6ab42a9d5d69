// A client holds no returned answer: an idle client must not use the memory of its last one.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { FleetClient } from '../../src/index.js';
import { makeClient, makeService } from './setup.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const calls: Record<string, (fleet: FleetClient) => Promise<object>> = {
  'a call': (fleet) => fleet.getVehicles(),
  'a call of low priority': (fleet) => fleet.getVehicles({}, { priority: 'low' }),
  'merged calls': async (fleet) => (await Promise.all([fleet.getVehicles(), fleet.getPeople()]))[0],
};

test.each(Object.entries(calls))('%s', async (_, call) => {
  const fleet = makeClient(makeService());
  const answer = await (async () => new WeakRef(await call(fleet)))();
  for (let round = 0; round < 3; round++) {
    await setImmediate();
    collectGarbage();
  }
  expect(answer.deref()).toBeUndefined();
  await fleet.close();
});
