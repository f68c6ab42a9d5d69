// @ts-check
// One of many processes of one user that are all ready. On a signal it looks vehicles up, one after the other, and reports how long
// it held the last turn. A cold one waits for no signal: nobody has logged in yet.
// scenarios/hand-over.mjs starts it, with the gate of this package or with the kernel's lock of a file, taken by flock(1).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { small } from '../lib/vehicle-queries.mjs';

/** @typedef {import('../../dist/esm/sdk/index.js').Gate} Gate */
/** @typedef {{ way: 'files' | 'kernel' | 'alone', url: string, userId: string, ids: string[], folder: string, isCold: boolean }} Job */
/** @typedef {{ sending: true } | { ready: true } | { error: string | null, heldMs: number }} Told */

/** @type {Job} */
const { way, url, userId, ids, folder, isCold } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient, fileGate, fileTokenStore } = await loadProduct();

/** @type {Record<Job['way'], () => Gate>} */
const gates = {
  files: () => fileGate({ directory: folder }),
  alone: () => fileGate({ directory: folder }),
  kernel: () => ({
    async hold(_key, task) {
      // flock locks the open file that it shares with this process, and ends; closing the file gives the lock to the next.
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
const inner = gates[way]();
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
