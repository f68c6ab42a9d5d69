// Rows of one millisecond are sorted by their microseconds, in any order of the service.
import { expect, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import { makeClient, makeService, START } from '../request/setup.js';
import { period, read } from './stream-setup.js';

const at = (fraction: string) => new Date(START - 60_000).toISOString().replace('.000Z', `.${fraction}Z`);

test.each([
  ['the newest first', ['000003', '000002', '000001']],
  ['in no order', ['000002', '000003', '000001']],
  ['with digits of differing length', ['0003', '00015', '000001']],
  ['in order', ['000001', '000002', '000003']],
])('%s', async (_order, fractions) => {
  const service = makeService({ vehicles: 1 });
  const fetch = altered(
    service,
    rowsWith('getSnapshots', ([row]) => fractions.map((fraction) => ({ ...row, timestamp: at(fraction) }))),
  );
  const fleet = makeClient(service, { fetch, merge: false });
  const [vehicle] = await fleet.getVehicles({}, { select: { id: true } });
  const rows = await read(fleet.streamSnapshots({ vehicleId: String(vehicle?.id), ...period(3_600_000) }));
  expect(rows.map(({ timestamp }) => timestamp)).toEqual([...fractions].sort().map(at));
  expect(rows.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
});
