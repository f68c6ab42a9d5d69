// @ts-check
// Runs the clients of this folder, unadapted, against `fleet mock`. Exit code 1: one failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildProduct, productFile } from '../lib/product.mjs';

const clients = [
  { name: 'Apollo Client', program: process.execPath, file: 'apollo.mjs' },
  { name: 'urql', program: process.execPath, file: 'urql.mjs' },
  { name: 'curl', program: 'sh', file: 'curl.sh' },
];
const patience = 30_000;

buildProduct();
const mock = spawn(process.execPath, [productFile('bin/fleet.js'), 'mock', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const failed = [];
try {
  const address = await addressOf(mock.stderr);
  for (const { name, program, file } of clients) {
    process.stdout.write(`${name}\n`);
    const child = spawn(program, [fileURLToPath(new URL(file, import.meta.url))], {
      env: { ...process.env, FLEET_BASE_URL: address },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: patience,
    });
    const code = await new Promise((resolve) => {
      child.on('error', (error) => {
        process.stderr.write(`  cannot be started: ${error.message}\n`);
        resolve(null);
      });
      child.on('exit', resolve);
    });
    if (code !== 0) failed.push(name);
  }
} finally {
  mock.kill('SIGINT');
  if (mock.exitCode === null) await once(mock, 'exit');
}
process.stdout.write(failed.length === 0 ? 'all work\n' : `failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {import('node:stream').Readable} greeting */
async function addressOf(greeting) {
  for await (const line of createInterface({ input: greeting })) {
    const address = /https?:\/\/\S+:\d+/.exec(line)?.[0];
    if (address !== undefined) {
      greeting.resume();
      return address;
    }
  }
  throw new Error('fleet mock ended before it said where it listens');
}
