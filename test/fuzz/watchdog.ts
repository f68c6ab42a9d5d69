// Ends the process when it makes no progress: an endless loop could not report its case otherwise.
import { Worker } from 'node:worker_threads';

const program = `
  const { workerData } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const progress = new Int32Array(workerData.shared);
  let last = -1;
  let since = Date.now();
  setInterval(() => {
    const now = Atomics.load(progress, 0);
    if (now !== last) [last, since] = [now, Date.now()];
    else if (Date.now() - since > workerData.patienceMs) {
      writeSync(2, 'no progress since case ' + now + ' of seed ' + workerData.seed + ' began: it hangs\\n');
      process.kill(process.pid, 'SIGKILL');
    }
  }, 500);
`;

export interface Watchdog {
  readonly begins: (index: number) => void;
  readonly stop: () => Promise<unknown>;
}

export function watchdog(seed: number, patienceMs: number): Watchdog {
  const shared = new SharedArrayBuffer(4);
  const progress = new Int32Array(shared);
  const worker = new Worker(program, { eval: true, workerData: { shared, seed, patienceMs } });
  return {
    begins: (index) => Atomics.store(progress, 0, index),
    stop: () => worker.terminate(),
  };
}
