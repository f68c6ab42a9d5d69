// Runs modules one after the other in a separate process. Writes the output and failure of each as
// a line of JSON into the first file. Used by blocks.heavy.test.ts.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [results = '', ...scripts] = process.argv.slice(2);
const patienceMs = 20_000;

/** @type {string[]} */
let failures = [];
process.on('unhandledRejection', (reason) => failures.push(`unhandled: ${String(reason)}`));

/** @param {string} path */
const load = (path) => import(pathToFileURL(path).href);
const { service } = await load(join(process.cwd(), 'provided.js'));
const clean = service.snapshot();
const begin = service.clock.now();

for (const script of scripts) {
  // Not reset(): the shared client would first have to replace its token.
  service.restore(clean);
  service.faults.clear();
  service.clearRequests();
  service.clock.set(begin);
  failures = [];
  let printed = '';
  const write = process.stdout.write;
  // Only calls with one argument, as of console.log and of a block's own write.
  process.stdout.write = /** @type {typeof write} */ (
    (/** @type {string | Uint8Array} */ text) => {
      printed += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      return true;
    }
  );
  let timer;
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${patienceMs} ms`)), patienceMs);
  });
  try {
    await Promise.race([load(script), tooLong]);
  } catch (error) {
    failures.push(error instanceof Error ? (error.stack ?? String(error)) : String(error));
  }
  clearTimeout(timer);
  process.stdout.write = write;
  appendFileSync(results, `${JSON.stringify({ script, printed, failures })}\n`);
}
process.exit(0);
