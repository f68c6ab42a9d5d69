// Distinguishing errors by code: in TypeScript, across copies of this package, after bundling.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import * as sdk from '../../src/index.js';
import { FleetError, HttpError, type RateLimitError, UserSelectionError } from '../../src/index.js';
import { makeClient, makeService, rejection } from '../request/setup.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-errors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('codes narrow', () => {
  test('a switch over the code of any error reads the fields of its class', () => {
    const codeText = (error: unknown): string => {
      if (!FleetError.is(error)) return 'other';
      switch (error.code) {
        case 'HTTP':
          expectTypeOf(error.status).toEqualTypeOf<number>();
          return `HTTP ${error.status}`;
        case 'RATE_LIMIT':
          expectTypeOf(error).toEqualTypeOf<RateLimitError>();
          return `wait ${error.retryAfterMs}`;
        case 'USER_SELECTION':
          return `choose one of ${error.choices.length}`;
        case 'GRAPHQL':
          return error.serviceErrors.map(({ message }) => message).join();
        case 'TIMEOUT':
          return error.waitedFor ?? 'no answer';
        default:
          // @ts-expect-error These codes have no status.
          return String(error.status ?? error.code);
      }
    };
    expect(codeText(new HttpError('x', 503))).toBe('HTTP 503');
    expect(codeText(new UserSelectionError('x', []))).toBe('choose one of 0');
    expect(codeText(new Error('x'))).toBe('other');
    expectTypeOf<FleetError['code']>().toEqualTypeOf<sdk.FleetErrorCode>();
  });

  test('after instanceof, and in every error that the package gives', () => {
    const statusOf = (error: unknown) => (error instanceof FleetError && error.code === 'HTTP' ? error.status : null);
    expect([new HttpError('x', 503), new UserSelectionError('x', []), new Error('x')].map(statusOf)).toEqual([
      503,
      null,
      null,
    ]);
    expectTypeOf<sdk.VehicleFailure['error']>().toEqualTypeOf<FleetError>();
    expectTypeOf<Extract<sdk.StatusEvent, { type: 'outage' }>['error']>().toEqualTypeOf<FleetError>();
    // The other branch of the condition narrows too.
    const other = (error: HttpError | string) => (error instanceof FleetError ? error.status : error.length);
    expect(other('four')).toBe(4);
  });

  test('`is` of a class asks for that class', () => {
    const error: unknown = new HttpError('x', 503);
    expect([HttpError.is(error), UserSelectionError.is(error), FleetError.is(error)]).toEqual([true, false, true]);
    if (HttpError.is(error)) expectTypeOf(error).toEqualTypeOf<HttpError>();
    const isNone = [null, undefined, 'HTTP', new Error('x'), { code: 'HTTP' }].some((value) => FleetError.is(value));
    expect(isNone).toBe(false);
    expect([error, new Error('y')].filter(FleetError.is)).toEqual([error]);
  });
});

describe('another copy of this package, in a minified bundle', async () => {
  const entry = fileURLToPath(new URL('../../src/core/errors.ts', import.meta.url));
  const outfile = join(folder, 'bundle.mjs');
  await build({ entryPoints: [entry], outfile, bundle: true, minify: true, format: 'esm', platform: 'node' });
  const copy: typeof sdk = await import(pathToFileURL(outfile).href);

  test('its errors are recognised here, and ours there', () => {
    const theirs: unknown = new copy.HttpError('x', 404);
    expect(theirs).not.toBeInstanceOf(HttpError);
    expect([FleetError.is(theirs), HttpError.is(theirs), UserSelectionError.is(theirs)]).toEqual([true, true, false]);
    expect([copy.FleetError.is(new HttpError('x', 404)), copy.HttpError.is(new HttpError('x', 404))]).toEqual([
      true,
      true,
    ]);
  });

  test('its errors keep their names', () => {
    const classes = Object.entries(sdk).filter(([name, value]) => name.endsWith('Error') && value !== FleetError);
    expect(classes).toHaveLength(21);
    for (const [name] of classes) {
      const Class = Reflect.get(copy, name);
      const error = new Class('message', []);
      expect(error).toMatchObject({ name, message: 'message' });
      expect(String(error.stack)).toMatch(new RegExp(`^${name}: message\n`));
      expect(error.constructor.name).toBe(name);
    }
  });
});

describe("stacks show the caller's line", () => {
  const here = (error: unknown) => (error instanceof Error ? (error.stack ?? '') : '');
  const failing = () => {
    const service = makeService();
    service.faults.add({ kind: 'graphqlError', operation: 'getRoles', times: 9 });
    service.faults.add({ kind: 'status', status: 400, path: '/login/token', times: 9 });
    return makeClient(service, { credentials: { username: 'demo', password: 'wrong' } });
  };

  test('of an error of the service', async () => {
    const service = makeService();
    service.faults.add({ kind: 'graphqlError', operation: 'getRoles' });
    const fleet = makeClient(service);
    async function callerOfRoles() {
      return await fleet.getRoles();
    }
    const stack = here(await rejection(callerOfRoles()));
    expect(stack).toMatch(/^GraphQLResponseError: The service answered getRoles/);
    expect(stack).toMatch(/callerOfRoles .*errors\.test\.ts/);
  });

  test('of calls that share a failed login: each has its own', async () => {
    const fleet = failing();
    const first = async () => await fleet.getRoles();
    const second = async () => await fleet.getLabels();
    const [one, other] = await Promise.all([rejection(first()), rejection(second())]);
    expect(one).toMatchObject({ code: 'AUTHENTICATION' });
    expect(one).not.toBe(other);
    expect([here(one), here(other)]).toEqual([
      expect.stringMatching(/first .*errors\.test\.ts/),
      expect.stringMatching(/second .*errors\.test\.ts/),
    ]);
  });

  test('of a stream', async () => {
    const fleet = failing();
    async function readerOfRows() {
      const period = { vehicleId: '00000000-0000-4000-8000-000000000001', from: new Date(0), to: new Date(1e6) };
      for await (const row of fleet.streamSnapshots(period)) expect.fail(`a row: ${JSON.stringify(row)}`);
    }
    expect(here(await rejection(readerOfRows()))).toMatch(/readerOfRows .*errors\.test\.ts/);
  });
});
