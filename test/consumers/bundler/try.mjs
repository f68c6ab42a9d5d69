// Runs the bundles in a folder that has no packages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMockService } from 'fleet-telematics/mock';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'fleet-bundle-'));
const server = await createMockService({ vehicles: 4 }).listen();
try {
  for (const file of ['main.mjs', 'tree.mjs']) await copyFile(`alone/${file}`, join(folder, file));
  assert.equal((await run(process.execPath, [join(folder, 'main.mjs'), server.url])).stdout, '4\n');
  assert.equal((await run(process.execPath, [join(folder, 'tree.mjs')])).stdout, '1970-01-01T00:00:00.000Z\n');
  const size = (await readFile('alone/tree.mjs')).length;
  assert.ok(size < 4000, `one small function makes a bundle of ${size} bytes`);
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
