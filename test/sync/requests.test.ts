// How many requests the next sync needs.
import { expect, test } from 'vitest';
import { sqliteTarget, sync } from '../../src/sync/index.js';
import { makeClient, makeService, ran, START } from '../request/setup.js';
import { tempFile } from './copies.js';

const HOUR = 3_600_000;

test('vehicles whose copies end at different times are read together', async () => {
  const service = makeService({ vehicles: 20 });
  const file = tempFile();
  const options = { since: new Date(START - HOUR), lateMs: 600_000, parts: ['trips'] } as const;
  await sync(makeClient(service), sqliteTarget(file), options);
  service.clock.advance(HOUR);
  service.clearRequests();
  await sync(makeClient(service), sqliteTarget(file), options);
  // Six trips are open, each with another last row: one by one, they would need nine.
  expect(ran(service, 'getSnapshots')).toBeLessThanOrEqual(6);
});
