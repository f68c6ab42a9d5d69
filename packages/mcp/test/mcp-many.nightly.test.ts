// Many servers of one user, as processes over HTTP: none makes the service refuse a request, even
// when others are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/mock/service.js';
import { clock } from '../../../test/moment.js';

const bin = fileURLToPath(new URL('../../../bin/fleet.js', import.meta.url));

interface Place {
  readonly service: MockService;
  readonly url: string;
  readonly folder: string;
}

async function place(): Promise<Place> {
  const service = createMockService({ seed: 1, vehicles: 6, clock, latencyMs: 5 });
  const { url, close } = await service.listen({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-many-'));
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { service, url, folder };
}

async function started({ url, folder }: Place, words: readonly string[] = []) {
  const { PATH = '', SystemRoot = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', '--time-zone', 'UTC', ...words],
    env: {
      ...{ PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: folder, FLEET_BASE_URL: url },
      ...{ FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' },
    },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return { client, pid: transport.pid };
}

const calls = [
  { name: 'fleet_status', arguments: {} },
  { name: 'where_is', arguments: { vehicles: ['Truck 01'] } },
  { name: 'list_trips', arguments: { from: '-1h' } },
  { name: 'find_record', arguments: { text: 'Depot' } },
  { name: 'driver_assignments', arguments: {} },
];

const refused = (service: MockService) => service.requests.filter(({ status }) => status === 429).length;

test('20 servers of one user at once: every question is answered, and the service refuses none', async () => {
  const here = await place();
  const servers = await Promise.all(Array.from({ length: 20 }, () => started(here)));
  const answers = await Promise.all(servers.flatMap(({ client }) => calls.map((call) => client.callTool(call))));
  expect(answers).toHaveLength(100);
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  expect(refused(here.service)).toBe(0);
  // They share one session.
  expect(here.service.requests.filter(({ path }) => path.endsWith('/login/token'))).toHaveLength(1);
  await Promise.all(servers.map(({ client }) => client.close()));
});

test('killed and cancelled at any moment: the others are answered, and nothing is refused', async () => {
  const here = await place();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.integer({ min: 0, max: 120 }),
      fc.boolean(),
      async (call, afterMs, isKill) => {
        const [victim, other] = await Promise.all([started(here), started(here)]);
        const cancel = new AbortController();
        const lost = victim.client.callTool(call, { signal: cancel.signal }).catch(() => null);
        const concurrentCall = other.client.callTool(call);
        // The server's state at that time is random.
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        if (isKill && victim.pid !== null) process.kill(victim.pid, 'SIGKILL');
        else cancel.abort();
        expect((await concurrentCall).isError).not.toBe(true);
        await lost;
        if (!isKill) expect((await victim.client.callTool(call)).isError).not.toBe(true);
        await Promise.all([victim.client.close(), other.client.close()].map((closing) => closing.catch(() => null)));
      },
    ),
    { numRuns: 25 },
  );
});

test('a change whose server is killed is made once at most', async () => {
  const here = await place();
  for (let round = 0; round < 6; round++) {
    const { client, pid } = await started(here, ['--allow-changes']);
    const value = `K${round}`;
    const change = { change: 'set_vehicle_field', vehicle: 'Truck 01', field: 'Cost centre', value };
    const { structuredContent } = await client.callTool({ name: 'plan_change', arguments: change });
    const before = here.service.requests.length;
    const call = client.callTool({ name: 'carry_out_plan', arguments: { plan: Object(structuredContent).plan } });
    const lost = call.catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, round * 8));
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await lost;
    await client.close().catch(() => null);
    const sent = here.service.requests.slice(before).flatMap(({ operations }) => operations);
    expect(sent.filter((operation) => operation === 'updateVehicleCustomField').length).toBeLessThanOrEqual(1);
  }
});
