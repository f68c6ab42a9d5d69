// Starts the built server and a service, and requests a page and a route handler.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createMockService } from 'fleet-telematics/mock';

const service = await createMockService({ vehicles: 4 }).listen();
const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '--port', '0'], {
  env: { ...process.env, FLEET_BASE_URL: service.url },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  let printed = '';
  let url;
  for await (const text of next.stdout) {
    printed += text;
    url ??= /http:\/\/localhost:\d+/.exec(printed)?.[0];
    if (/Ready/.test(printed)) break;
  }
  assert.match(await (await fetch(`${url}/`)).text(), /4 vehicles/);
  assert.equal((await (await fetch(`${url}/api/vehicles`)).json()).length, 4);
} finally {
  next.kill();
  await once(next, 'exit');
  await service.close();
}
