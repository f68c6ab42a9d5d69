// Runs the bundles: alone/ in a folder without packages, beside/ with installed packages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMockService } from 'fleet-telematics/mock';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'fleet-bundle-'));
const server = await createMockService({ vehicles: 4 }).listen();
const output = async (file) => (await run(process.execPath, [file, server.url])).stdout;
try {
  await cp('alone', folder, { recursive: true });
  const bundles = (await readdir(folder)).sort();
  assert.deepEqual(bundles, [
    'esbuild-commonjs',
    'esbuild-esm',
    'rollup',
    'tree',
    'tsup',
    'webpack-commonjs',
    'webpack-esm',
    'without-require',
    'without-undici',
  ]);
  for (const bundle of bundles) {
    const [main] = (await readdir(join(folder, bundle))).filter((file) => /^main\.[cm]js$/.test(file));
    assert.equal(
      await output(join(folder, bundle, main)),
      bundle === 'tree' ? '1970-01-01T00:00:00.000Z\n' : '4 2\n',
      bundle,
    );
  }
  for (const file of ['beside/esbuild-external.mjs', 'beside/tsup/main.js']) assert.equal(await output(file), '4 2\n');

  // Only undici can send through a proxy.
  const proxied = { env: { ...process.env, HTTP_PROXY: 'http://127.0.0.1:9' } };
  await assert.rejects(
    run(process.execPath, [join(folder, 'without-require/main.mjs'), server.url], proxied),
    ({ stderr }) => {
      assert.match(
        stderr,
        /undici, which sends the requests through the proxy, could not be loaded\..* mark undici as external/s,
      );
      assert.match(stderr, /Dynamic require of "node:assert" is not supported/);
      return true;
    },
  );

  // SQLite is installed beside the bundle, or built into Node.
  const copied = async (file) => (await run(process.execPath, [file, join(folder, `${randomUUID()}.db`)])).stdout;
  assert.equal(await copied('beside/sync.cjs'), 'vehicles 2, latest_snapshots 2\n');
  const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
  if (hasSqlite) assert.equal(await copied('refused/sync.cjs'), 'vehicles 2, latest_snapshots 2\n');
  else
    await assert.rejects(copied('refused/sync.cjs'), ({ stderr }) => /leave node-sqlite3-wasm out of it/.test(stderr));

  const size = (await readFile('alone/tree/main.mjs')).length;
  assert.ok(size < 5000, `one small function makes a bundle of ${size} bytes`);
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
