// Lists are printed while their answer arrives, with the same bytes as when all rows are read
// first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import type { Fetch } from '../../src/core/ports.js';
import { createDeferred } from '../request/setup.js';
import { baseUrl, clock, service, shellOf } from './harness.js';

/** All records have the same fleet: sorting by it only forces all rows to be read first. */
const readAllFirst = ['--sort', 'fleetId'];
const large = service({ vehicles: 30 });

test.each([
  ...['ndjson', 'csv', 'json', 'tsv', 'yaml'].flatMap((format) => [
    ['vehicles', 'list', '-o', format],
    ['vehicles', 'list', '--fields', 'name,lastData.gps.speed,assignedGroups', '--limit', '3', '-o', format],
  ]),
  ['vehicles', 'list', '--active', '--filter', 'year>2018', '-o', 'csv'],
  ['vehicles', 'list', '--filter', 'name=nothing', '-o', 'json'],
  ['people', 'list', '--drivers', '-o', 'ndjson'],
  ['geofences', 'list', '--deleted', '-o', 'tsv'],
])('%s %s, case %#: the bytes are those of all rows read first', async (...words) => {
  const fleet = shellOf('demo', large.fetch);
  const streamed = await fleet(words);
  const buffered = await fleet([...words, ...readAllFirst]);
  expect(buffered.code).toBe(0);
  expect(streamed.stdout).toBe(buffered.stdout);
});

function answering(body: ReadableStream<Uint8Array>): Fetch {
  const { fetch } = service();
  return async (url, init) =>
    init.body?.includes('getVehicles')
      ? new Response(body, { headers: { 'content-type': 'application/json' } })
      : fetch(url, init);
}

const begin = '{"data":{"getVehicles":[';
const row = (id: number) => JSON.stringify({ id: String(id), name: `Van ${id}`, vin: 'x'.repeat(40_000) });

/** An endless list; `cancelled` settles when it is no longer read. */
function endless(): { readonly body: ReadableStream<Uint8Array>; readonly cancelled: Promise<void> } {
  let id = 0;
  const cancelled = createDeferred();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // In chunks, like a network.
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(Buffer.from(`${id === 0 ? begin : ','}${row(id++)}`));
    },
    cancel: () => cancelled.resolve(),
  });
  return { body, cancelled: cancelled.promise };
}

/** Runs a command with this stream as stdout. */
function runInto(stdout: Writable, words: readonly string[], body: ReadableStream<Uint8Array>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return run(words, {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_CONFIG_DIR: folder },
    signal: new AbortController().signal,
    fetch: answering(body),
    clock,
  });
}

test.each(['ndjson', 'json', 'csv', 'tsv'])('--limit ends the request (%s)', async (format) => {
  const { body, cancelled } = endless();
  const fleet = shellOf('demo', answering(body));
  const { code, stdout, stderr } = await fleet(['vehicles', 'list', '--limit', '3', '--fields', 'name', '-o', format]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Only the first 3 rows are shown; there are more.\n' });
  expect(stdout.match(/Van \d/g)).toEqual(['Van 0', 'Van 1', 'Van 2']);
  await cancelled;
});

test('a closed pipe ends the request and is no failure', async () => {
  const { body, cancelled } = endless();
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  let lines = 0;
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      lines++;
      done(lines > 2 ? closed : null);
    },
  });
  stdout.on('error', () => undefined);
  const code = await runInto(stdout, ['vehicles', 'list', '-o', 'ndjson'], body);
  expect(code).toBe(0);
  await cancelled;
});

describe('an answer that breaks off', () => {
  const broken = () => {
    let step = 0;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        if (step++ < 4) controller.enqueue(Buffer.from(`${step === 1 ? begin : ','}${row(step)}`));
        else controller.error(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      },
    });
  };

  test('the rows that had arrived are printed, and then the error', async () => {
    const fleet = shellOf('demo', answering(broken()));
    const { code, stdout, stderr } = await fleet(['vehicles', 'list', '--fields', 'name', '-o', 'ndjson']);
    expect(code).toBe(8);
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).name),
    ).toContain('Van 1');
    expect(stderr).toMatch(/The list is not complete: \d rows had arrived before the error\./);
  });
});

test('errors beside the rows: the rows, and exit code 6; errors and no row: only the error', async () => {
  const of = (text: string) => shellOf('demo', answering(new Response(text).body ?? new ReadableStream()));
  const errors = '"errors":[{"message":"The telemetry is down.","path":["getVehicles",0,"lastData"]}]';
  const some = await of(`${begin}${row(1)},${row(2)}]},${errors}}`)([
    'vehicles',
    'list',
    '--fields',
    'name',
    '-o',
    'json',
  ]);
  expect(some.code).toBe(6);
  expect(JSON.parse(some.stdout)).toEqual([{ name: 'Van 1' }, { name: 'Van 2' }]);
  expect(some.stderr).toContain('The telemetry is down.');
  const none = await of(`{"data":{"getVehicles":null},${errors}}`)(['vehicles', 'list', '-o', 'json']);
  expect(none).toMatchObject({ code: 6, stdout: '' });
});

test('the first row is printed while the answer arrives', async () => {
  const first = createDeferred();
  let step = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      step++;
      if (step === 1) controller.enqueue(Buffer.from(`${begin}${row(1)},${row(2)},${row(3)}`));
      else {
        // Ends only when a row has been printed.
        await first.promise;
        controller.enqueue(Buffer.from(',{"name":"last"}]}}'));
        controller.close();
      }
    },
  });
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      first.resolve();
      done();
    },
  });
  const code = await runInto(stdout, ['vehicles', 'list', '--fields', 'name', '-o', 'json'], body);
  expect(code).toBe(0);
  expect(JSON.parse(text)).toHaveLength(4);
});
