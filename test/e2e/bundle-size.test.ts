// The SDK's share in the bundle of a program with one call, slightly above docs/serverless.md.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockService } from 'fleet-telematics/mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundleHandler } from '../../bench/lib/handler-bundle.mjs';
import { clock } from '../moment.js';

const kB = 1000;

test('one file holds the SDK and what a call needs, and nothing of a database', async () => {
  const { code, parts } = await bundleHandler();
  expect([...parts.keys()].sort()).toEqual(['fleet-telematics', 'graphql', 'undici']);
  expect(code.length).toBeLessThan(919 * kB);
  expect(parts.get('fleet-telematics')).toBeLessThan(331 * kB);
  expect(parts.get('graphql')).toBeLessThan(55 * kB);
});

test('without undici and graphql it is a third of that, makes calls, and refuses documents of its caller', async () => {
  const { code } = await bundleHandler(['undici', 'graphql']);
  expect(code.length).toBeLessThan(332 * kB);
  const file = join(mkdtempSync(join(tmpdir(), 'fleet-handler-')), 'handler.cjs');
  writeFileSync(file, code);
  const service = await createMockService({ vehicles: 1, clock }).listen();
  onTestFinished(() => service.close());
  vi.stubEnv('FLEET_BASE_URL', service.url);
  vi.stubEnv('FLEET_USERNAME', 'demo');
  vi.stubEnv('FLEET_PASSWORD', 'demo');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { fleet, handler } = createRequire(file)(file);
  onTestFinished(() => fleet.close());
  expect(await handler()).toMatchObject({ statusCode: 200 });
  await expect(fleet.request('{ getLabels { id } }')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('graphql, which reads the documents of request(), could not be loaded'),
  });
});
