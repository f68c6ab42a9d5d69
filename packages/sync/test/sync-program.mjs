// @ts-check
// Syncs of a process of its own, with the built package. Each line of its input is a job as JSON (`SyncJob` in sync-process.ts). It prints
// `batch 1`, `batch 2` … before each batch of a job, and `done {…}` after it: `until` of the report, or the reason of the error. A job may say
// at which batch the process kills itself: before the batch is written, or within the transaction.
import { createInterface } from 'node:readline';
import { FleetClient } from 'fleet-telematics';
import { syncFleet, syncParts } from '../src/index.js';
// From dist/ in the program (sync-process.ts); only the sources have declarations of what no entry point exports.
import { parquetTargetOf } from '../src/parquet/parquet-target.js';
import { postgresTargetOf } from '../src/postgres/postgres-target.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';

/** @param {import('./sync-process.js').SyncJob} job */
async function run({ baseUrl, target: name, since, until, lateEveryMs, history, users, now, killAt = 0, killIn }) {
  let batches = 0;
  let commits = 0;
  const stop = () => process.kill(process.pid, 'SIGKILL');
  const parts = {
    beforeCommit: () => {
      commits++;
      if (killIn === 'transaction' && commits === killAt) stop();
    },
  };
  const files = name.endsWith('/') ? parquetTargetOf(name, parts) : sqliteTargetOf(name, parts);
  const target = name.startsWith('postgres:') ? postgresTargetOf(name, parts) : files;
  /** @type {import('../src/index.js').SyncTarget} */
  const counted = {
    ...target,
    open: async () => {
      const open = await target.open();
      return {
        cursors: () => open.cursors(),
        read: (table, columns, filter) => open.read(table, columns, filter),
        close: () => open.close(),
        apply: (batch) => {
          batches++;
          process.stdout.write(`batch ${batches}\n`);
          if (killIn === 'before' && batches === killAt) stop();
          return open.apply(batch);
        },
      };
    },
  };
  // As right as that of the syncs that it is compared with: on a machine with a wrong clock, cursors are earlier.
  const fleet = new FleetClient({
    baseUrl,
    credentials: { username: 'demo', password: 'demo' },
    clock: { now: () => now },
    ...(users === undefined ? {} : { user: { userId: users[0] } }),
  });
  const others = users?.slice(1).map((userId) => ({ userId }));
  try {
    const report = await syncFleet(fleet, counted, {
      since,
      until,
      lateEveryMs,
      history,
      users: others,
      parts: syncParts,
    });
    return { until: report.until, failures: report.failures.map(({ part, error }) => `${part}: ${error.message}`) };
  } catch (error) {
    return { reason: String(Reflect.get(Object(error), 'reason')), message: String(error) };
  } finally {
    await fleet.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`done ${JSON.stringify(await run(JSON.parse(line)))}\n`);
}
