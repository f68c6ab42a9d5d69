// What logs show of an error: the loggers themselves are asked, because each looks for properties in ways of its own.
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FleetError, type WarningEvent } from '../../src/index.js';
import { makeClient, makeService, rejection } from '../request/setup.js';

// Their types are not needed here, and bunyan has none.
const require = createRequire(import.meta.url);
const pino = require('pino');
const winston = require('winston');
const bunyan = require('bunyan');
const { extraErrorDataIntegration } = require('@sentry/core');

const SAID = 'Bearer said-by-the-service';

/** A stream that keeps what is written to it. */
function sink(): { stream: Writable; written: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, written: () => chunks.join('') };
}

type Log = (error: unknown) => string | Promise<string>;

const logs: Readonly<Record<string, Log>> = {
  pino: (error) => {
    const { stream, written } = sink();
    const log = pino(stream);
    log.error(error);
    log.error({ err: error, error }, 'failed');
    return written();
  },
  winston: async (error) => {
    const { stream, written } = sink();
    const { combine, errors, json } = winston.format;
    const formats = [json(), combine(errors({ stack: true, cause: true }), json()), winston.format.simple()];
    for (const format of formats) {
      const log = winston.createLogger({ format, transports: [new winston.transports.Stream({ stream })] });
      log.error(error);
      log.error('failed', error);
      log.error('failed', { error });
    }
    // winston hands lines on in a later turn.
    await new Promise(setImmediate);
    return written();
  },
  bunyan: (error) => {
    const { stream, written } = sink();
    const log = bunyan.createLogger({ name: 'test', streams: [{ stream }], serializers: bunyan.stdSerializers });
    log.error(error);
    log.error({ err: error, error }, 'failed');
    return written();
  },
  'extra-error-data of Sentry': async (error) => {
    const integration = extraErrorDataIntegration({ depth: 10, captureErrorCause: true });
    const client = { getOptions: () => ({ normalizeDepth: 10 }) };
    const event = await integration.processEvent({ contexts: {} }, { originalException: error }, client);
    return JSON.stringify(event);
  },
  'util.inspect': (error) => inspect(error, { depth: 20, showHidden: true, getters: true }) + inspect({ error }),
  'JSON.stringify': (error) => JSON.stringify({ error }) + JSON.stringify(error),
  structuredClone: (error) => inspect(structuredClone(error), { depth: 20, showHidden: true }),
  'a look at every property': (error) => {
    const seen: unknown[] = [];
    for (const key in Object(error)) seen.push(Reflect.get(Object(error), key));
    for (const key of Reflect.ownKeys(Object(error))) seen.push(Reflect.get(Object(error), key));
    return inspect([seen, { ...Object(error) }], { depth: 20 });
  },
};

async function errorOf(fault: 'graphqlError' | 'status', options = {}): Promise<FleetError> {
  const service = makeService();
  service.faults.add({ kind: fault, message: SAID, operation: 'getRoles', ...(fault === 'status' && { status: 500 }) });
  const error = await rejection(makeClient(service, { retry: false, ...options }).getRoles());
  if (!FleetError.is(error)) throw error;
  return error;
}

describe.each(['graphqlError', 'status'] as const)('the words of the service in an error of a %s', (fault) => {
  test.each(Object.entries(logs))('are not shown by %s', async (_name, log) => {
    const error = await errorOf(fault);
    const shown = await log(error);
    expect(shown).toContain('getRoles');
    expect(shown).not.toContain(SAID);
    expect(error).toHaveProperty('serviceErrors', [expect.objectContaining({ message: SAID })]);
    expect(Reflect.has(error, 'errors')).toBe(false);
  });

  test('are in the message, and so in the log, of a client that exposes them', async () => {
    const error = await errorOf(fault, { exposeServiceMessages: true });
    expect(error.message).toContain(`The service said: ${SAID}`);
    expect(error.stack).toContain(error.message);
    expect(await logs.pino?.(error)).toContain(SAID);
  });
});

test('a change whose outcome is unknown says what the service said of it', async () => {
  const service = makeService();
  service.faults.add({ kind: 'status', status: 500, message: SAID, operation: 'createGroup' });
  const fleet = makeClient(service, { exposeServiceMessages: true });
  const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
  expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', message: expect.stringContaining(SAID) });
});

test('a very long word of the service is cut', async () => {
  const service = makeService();
  service.faults.add({ kind: 'graphqlError', message: 'x'.repeat(100_000), operation: 'getRoles' });
  const error = await rejection(makeClient(service, { exposeServiceMessages: true }).getRoles());
  expect(error).toHaveProperty(
    'message.length',
    expect.toSatisfy((length: number) => length < 2_000),
  );
});

test('a warning with the words of the service does not show them', async () => {
  const warnings: WarningEvent[] = [];
  const service = makeService();
  service.faults.add({ kind: 'graphqlError', message: SAID, operation: 'getRoles' });
  const fleet = makeClient(service, { hooks: { onWarning: (event) => warnings.push(event) } });
  await fleet.getRoles({}, { partial: true });
  const [warning] = warnings;
  expect(warning).toMatchObject({ code: 'PARTIAL_DATA', errors: [expect.objectContaining({ message: SAID })] });
  const { stream, written } = sink();
  pino(stream).warn(warning, 'warned');
  pino(stream).warn({ warning }, 'warned');
  bunyan.createLogger({ name: 'test', streams: [{ stream }] }).warn({ warning }, 'warned');
  winston.createLogger({ transports: [new winston.transports.Stream({ stream })] }).warn('warned', { warning });
  await new Promise(setImmediate);
  const shown = `${written()} ${inspect(warning)} ${JSON.stringify(warning)}`;
  expect(shown.match(/PARTIAL_DATA/g)).toHaveLength(6);
  expect(shown).not.toContain(SAID);
});
