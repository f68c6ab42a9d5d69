import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMockService } from 'fleet-telematics/mock';

const program = fileURLToPath(new URL('../src/worker.js', import.meta.url));

test('a worker that is told to end finishes its job and then ends by itself', {
  skip: process.platform === 'win32',
}, async (t) => {
  const service = createMockService({ vehicles: 2 });
  const { url, close } = await service.listen();
  t.after(close);
  service.faults.add({ kind: 'delay', ms: 500, operation: 'updateVehicle' });
  const worker = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => worker.on('exit', resolve));
  const lines = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    lines.push(line);
    if (line === 'sends updateVehicle') worker.kill('SIGTERM');
  }
  assert.equal(await ended, 0);
  assert.deepEqual(lines.slice(lines.indexOf('sends updateVehicle')), [
    'sends updateVehicle',
    'sends getVehicleById',
    'done JOB-1',
    'ended with CLOSED',
  ]);
});
