// @ts-check
// One of many processes of a user. On a signal it looks up vehicles and reports its last turn's
// time. A cold process waits for no signal and has no login yet. scenarios/hand-over.mjs starts it
// with this package's gate or the kernel's file lock, flock(1).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { small } from '../lib/vehicle-queries.mjs';

/** @typedef {import('../../dist/esm/sdk/index.js').Gate} Gate */
/**
 * @typedef {{
 *   way: 'files' | 'kernel' | 'alone', url: string, userId: string, ids: string[], folder: string,
 *   isCold: boolean
 * }} Job
 */
/**
 * @typedef {{ sending: true } | { ready: true }
 *   | { error: string | null, heldMs: number }} TurnMessage
 */

/** @type {Job} */
const { way: gateKind, url, userId, ids, folder, isCold } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient, fileGate, fileTokenStore } = await loadProduct();

/** @type {Record<Job['way'], () => Gate>} */
const gates = {
  files: () => fileGate({ directory: folder }),
  alone: () => fileGate({ directory: folder }),
  kernel: () => ({
    async hold(_key, task) {
      // flock locks the shared open file and ends; closing the file passes the lock on.
      const file = openSync(join(folder, 'lock'), 'w');
      try {
        await once(spawn('flock', ['--exclusive', '3'], { stdio: ['ignore', 'ignore', 'ignore', file] }), 'exit');
        return await task();
      } finally {
        closeSync(file);
      }
    },
  }),
};

let heldMs = 0;
const inner = gates[gateKind]();
/** @type {Gate} */
const gate = {
  hold: (key, task, options) =>
    inner.hold(
      key,
      async () => {
        const begun = performance.now();
        try {
          return await task();
        } finally {
          heldMs = performance.now() - begun;
        }
      },
      options,
    ),
};
const fleet = new FleetClient({
  baseUrl: url,
  credentials: demo,
  user: { userId },
  gate,
  tokenStore: fileTokenStore({ directory: folder }),
  hooks: { onRequest: () => process.send?.({ sending: true }) },
});
async function run() {
  const work = async () => {
    for (const id of ids) await fleet.getVehicleById({ id }, { select: small });
  };
  const error = await work().then(
    () => null,
    (/** @type {unknown} */ reason) => (reason instanceof Error ? reason.message.slice(0, 200) : String(reason)),
  );
  process.send?.({ error, heldMs }, () => process.exit());
}

if (isCold) await run();
else {
  await fleet.connect();
  process.send?.({ ready: true });
  process.once('message', run);
}
