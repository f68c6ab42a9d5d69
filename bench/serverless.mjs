// @ts-check
// Measures a cloud function: its bundle size, and a new process's time to its first answer. Prints
// the tables of docs/serverless.md. Needs `npm run build`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleHandler } from './lib/handler-bundle.mjs';
import { loadMock } from './lib/product.mjs';
import { byTurns, median } from './lib/stats.mjs';

const rounds = Number(process.argv[2] ?? 21);
const run = promisify(execFile);
const { createMockService } = await loadMock();
const server = await createMockService({ vehicles: 25 }).listen();
const folder = await mkdtemp(join(tmpdir(), 'fleet-serverless-'));
try {
  const whole = await bundleHandler();
  const small = await bundleHandler(['undici', 'graphql']);
  const inKb = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`;
  process.stdout.write(`whole ${inKb(whole.code.length)}, without undici and graphql ${inKb(small.code.length)}\n`);
  for (const [name, bytes] of [...whole.parts].sort(([, a], [, b]) => b - a))
    process.stdout.write(`${name} ${inKb(bytes)}\n`);

  const call = (/** @type {string} */ file) =>
    `import(${JSON.stringify(file)}).then(async ({ handler, default: d }) => { if ((await (handler ?? d.handler)()).statusCode !== 200) process.exit(1); process.exit(0); });`;
  const paths = { whole: join(folder, 'whole.cjs'), small: join(folder, 'small.cjs') };
  await writeFile(paths.whole, whole.code);
  await writeFile(paths.small, small.code);
  const installed = fileURLToPath(new URL('lib/handler.mjs', import.meta.url));
  const environment = { ...process.env, FLEET_BASE_URL: server.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
  const started = async (/** @type {string} */ program, env = {}) => {
    const start = performance.now();
    await run(process.execPath, ['-e', program], { env: { ...environment, ...env }, cwd: folder });
    return performance.now() - start;
  };
  const times = await byTurns(rounds, {
    'node -e 0': () => started('0'),
    'installed, not bundled': () => started(call(installed)),
    'one file with both': () => started(call(paths.whole)),
    'one file without both: node:http': () => started(call(paths.small)),
    'one file without both, fetch: globalThis.fetch': () => started(call(paths.small), { OWN_FETCH: '1' }),
  });
  const bare = median(times['node -e 0']);
  for (const [name, all] of Object.entries(times)) {
    process.stdout.write(`${name}: ${Math.round(median(all))} ms, ${(median(all) / bare).toFixed(2)}x\n`);
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
