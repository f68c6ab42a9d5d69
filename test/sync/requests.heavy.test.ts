// How many requests the next sync needs.
import { expect, test } from 'vitest';
import { sqliteTarget, sync } from '../../src/sync/index.js';
import { makeClient, makeService, ran, START } from '../request/setup.js';
import { tempFile } from './copies.js';

const TEN_MINUTES = 600_000;

test('vehicles whose copies end at different times are read together', async () => {
  const service = makeService({ vehicles: 20 });
  const file = tempFile();
  const options = { since: new Date(START - 2 * TEN_MINUTES), lateMs: TEN_MINUTES, parts: ['trips'] } as const;
  await sync(makeClient(service), sqliteTarget(file), options);
  service.clock.advance(TEN_MINUTES);
  service.clearRequests();
  await sync(makeClient(service), sqliteTarget(file), options);
  // Six trips are open, each with another last row: one by one, they would need eight.
  expect(ran(service, 'getSnapshots')).toBeLessThanOrEqual(6);
});
