// @ts-check
// One sync by a process of its own, with the built package; killed.test.ts kills it. At the batch of KILL_AT it kills itself: before the
// batch is written, or within the transaction. Prints a line before each batch.
import { FleetClient } from '../../dist/index.js';
import { sync, syncParts } from '../../dist/sync/index.js';
import { postgresTargetOf } from '../../dist/sync/postgres/postgres-target.js';
import { sqliteTargetOf } from '../../dist/sync/sqlite/sqlite-target.js';

const { BASE_URL = '', TARGET = '', SINCE = '', UNTIL = '', KILL_AT = '', KILL_IN = '' } = process.env;
let batches = 0;
let commits = 0;
const stop = () => process.kill(process.pid, 'SIGKILL');
const parts = {
  beforeCommit: () => {
    commits++;
    if (KILL_IN === 'transaction' && commits === Number(KILL_AT)) stop();
  },
};
const target = TARGET.startsWith('postgres:') ? postgresTargetOf(TARGET, parts) : sqliteTargetOf(TARGET, parts);
/** @type {import('../../dist/sync/index.js').SyncTarget} */
const counted = {
  ...target,
  open: async () => {
    const open = await target.open();
    return {
      cursors: () => open.cursors(),
      read: (table, columns) => open.read(table, columns),
      close: () => open.close(),
      apply: (batch) => {
        batches++;
        process.stdout.write(`batch ${batches}\n`);
        if (KILL_IN === 'before' && batches === Number(KILL_AT)) stop();
        return open.apply(batch);
      },
    };
  },
};
const fleet = new FleetClient({ baseUrl: BASE_URL, credentials: { username: 'demo', password: 'demo' } });
await sync(fleet, counted, { since: SINCE, until: UNTIL, parts: syncParts });
await fleet.close();
