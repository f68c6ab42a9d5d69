// The output of loggers for an error and a warning: none may print the service's messages.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { extraErrorDataIntegration } from '@sentry/core';
import bunyan from 'bunyan';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { pino } from 'pino';
import winston from 'winston';

const SAID = 'Bearer said-by-the-service';

/** Returns the output of `use` to a stream, including later turns, as winston needs. */
async function written(use) {
  const stream = new PassThrough();
  use(stream);
  await new Promise(setImmediate);
  let text = '';
  // Node 26 returns one piece with each read.
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += piece;
  return text;
}

const { combine, errors, json, simple } = winston.format;
const toWinston = (stream, format) =>
  winston.createLogger({ format, transports: [new winston.transports.Stream({ stream })] });

const logs = {
  pino: (error) =>
    written((stream) => {
      pino(stream).error(error);
      pino(stream).error({ err: error, error }, 'failed');
    }),
  winston: (error) =>
    written((stream) => {
      for (const format of [json(), combine(errors({ stack: true, cause: true }), json()), simple()]) {
        const log = toWinston(stream, format);
        log.error(error);
        log.error('failed', error);
        log.error('failed', { error });
      }
    }),
  bunyan: (error) =>
    written((stream) => {
      const log = bunyan.createLogger({ name: 'test', streams: [{ stream }], serializers: bunyan.stdSerializers });
      log.error(error);
      log.error({ err: error, error }, 'failed');
    }),
  async 'extra-error-data of Sentry'(error) {
    const integration = extraErrorDataIntegration({ depth: 10, captureErrorCause: true });
    const client = { getOptions: () => ({ normalizeDepth: 10 }) };
    return JSON.stringify(await integration.processEvent({ contexts: {} }, { originalException: error }, client));
  },
};

function clientOf(fault, options) {
  const service = createMockService({ vehicles: 1 });
  service.faults.add({ message: SAID, operation: 'getRoles', ...fault });
  const credentials = { username: 'demo', password: 'demo' };
  const shared = { baseUrl: 'http://fleet.test', credentials, fetch: service.fetch, retry: false };
  return new FleetClient({ ...shared, ...options });
}

const call = (fault, options) => clientOf(fault, options).getRoles();

for (const fault of [{ kind: 'graphqlError' }, { kind: 'status', status: 500 }]) {
  for (const [name, log] of Object.entries(logs)) {
    test(`the words of the service in an error of a ${fault.kind} are not shown by ${name}`, async () => {
      const error = await call(fault).catch((reason) => reason);
      assert.equal(error.serviceErrors[0].message, SAID);
      const shown = await log(error);
      assert.match(shown, /getRoles/);
      assert.ok(!shown.includes(SAID), shown);
    });
  }
  test(`the words of the service in an error of a ${fault.kind} are in the log of a client that exposes them`, async () => {
    const error = await call(fault, { exposeServiceMessages: true }).catch((reason) => reason);
    assert.ok((await logs.pino(error)).includes(SAID));
  });
}

test('a warning with the words of the service does not show them', async () => {
  let warning;
  const hooks = { onWarning: (event) => (warning = event) };
  const client = clientOf({ kind: 'graphqlError' }, { hooks });
  // The other root field has data: an answer without data is an error.
  await client.request('{ getRoles { id } getLabels { id } }', {}, { partial: true });
  assert.equal(warning.code, 'PARTIAL_DATA');
  assert.equal(warning.errors[0].message, SAID);
  const shown = await written((stream) => {
    pino(stream).warn(warning, 'warned');
    pino(stream).warn({ warning }, 'warned');
    bunyan.createLogger({ name: 'test', streams: [{ stream }] }).warn({ warning }, 'warned');
    toWinston(stream).warn('warned', { warning });
  });
  assert.equal(shown.match(/PARTIAL_DATA/g).length, 4);
  assert.ok(!shown.includes(SAID), shown);
});
