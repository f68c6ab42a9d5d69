// @ts-check
// Runs syncs in a process, with the built package. Each input line is a job as JSON (`SyncJob` in
// sync-process.ts). The output has `batch 1`, `batch 2` … before each batch, and `done {…}` after a
// job. `done` has `until` of the report or the reason of the error. A job can name a batch at which
// the process kills itself: before the batch, or within its transaction.
import { createInterface } from 'node:readline';
import { FleetClient } from 'fleet-telematics';
import { syncFleet, syncParts } from '../src/index.js';
// sync-process.ts replaces these with dist/; only the sources have types of internal exports.
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
  // The clock of the compared syncs: with a wrong one, cursors would be earlier.
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
