// `fleet map` without a browser: reads days over HTTP, like its page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run/run.js';
import type { MockService } from '../../../src/mock/service.js';
import { baseUrl } from '../../../test/cli/harness.js';
import { packages } from '../../../test/cli/packages.js';
import { clock } from '../../../test/moment.js';
import { recordsOf } from '../../../test/records-of.js';
import type { MapDay, MapProblem } from '../src/shapes.js';

export interface RunningMap {
  /** Returns the day of a vehicle, by its name. */
  day(vehicle: string, day: string): Promise<MapDay>;
  /** Returns why a vehicle's day cannot be read, by its id. */
  problem(vehicleId: string, day: string): Promise<MapProblem>;
  idOf(vehicle: string): string;
}

/** Starts the map, which runs until the test ends. */
export async function mapOf(
  service: Pick<MockService, 'fetch' | 'snapshot'>,
  ...flags: readonly string[]
): Promise<RunningMap> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-map-'));
  const interrupt = new AbortController();
  let takeUrl = (_: string) => {};
  const printed = new Promise<string>((resolve) => {
    takeUrl = resolve;
  });
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      takeUrl(chunk.toString().trim());
      done();
    },
  });
  const ended = run(['map', ...flags], {
    stdin: new PassThrough(),
    stdout,
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    env: {
      ...{ FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' },
      ...{ FLEET_CONFIG_DIR: folder, TERM: 'xterm', TZ: 'UTC' },
    },
    signal: interrupt.signal,
    packages,
    fetch: service.fetch,
    clock,
  });
  onTestFinished(async () => {
    interrupt.abort();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await Promise.race([
    printed,
    ended.then((code) => Promise.reject(new Error(`fleet map ended with ${code}`))),
  ]);
  const { vehicles } = recordsOf(service);
  const idOf = (vehicle: string) => vehicles.find(({ name }) => name === vehicle)?.id ?? '';
  const ask = (vehicle: string, day: string) => fetch(`${url}day?${new URLSearchParams({ vehicle, day })}`);
  return {
    idOf,
    problem: async (vehicleId, day) => {
      const response = await ask(vehicleId, day);
      if (response.ok) throw new Error('The day could be read.');
      return response.json() as Promise<MapProblem>;
    },
    day: async (vehicle, day) => {
      const response = await ask(idOf(vehicle), day);
      if (!response.ok) throw new Error(await response.text());
      return response.json() as Promise<MapDay>;
    },
  };
}
