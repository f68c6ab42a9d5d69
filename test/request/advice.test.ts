// The advice of an error fits its cause: certificates, http against https, another contract.
import { afterEach, describe, expect, test } from 'vitest';
import { commandFailureOf as cliFailureOf } from '../../src/cli/errors/exit-codes.js';
import { FleetError } from '../../src/index.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { serve, testAuthority } from './http-server.js';
import { ClientOver, makeClient, makeService, rejection } from './setup.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function messagesOf(error: unknown): string[] {
  if (!FleetError.is(error)) throw error;
  const { message, hint } = cliFailureOf(error, false);
  return [error.message, `${message} ${hint}`];
}

const both = (pattern: RegExp) => [expect.stringMatching(pattern), expect.stringMatching(pattern)];

async function askAt(transport: HttpTransport, baseUrl: string): Promise<unknown> {
  const credentials = { username: 'demo', password: 'demo' };
  const fleet = new ClientOver(() => transport, { baseUrl, credentials, retry: { baseDelayMs: 0 } });
  closing.push(() => fleet.close());
  return rejection(fleet.getRoles());
}

describe.each([
  ['undici', (ca: string) => undiciTransport({}, { ca })],
  ['node:http(s)', (ca: string) => nodeTransport({ ca })],
])('over %s', (_name, make) => {
  test('a certificate for another host', async () => {
    // The certificate is for localhost and 127.0.0.1.
    const served = await serve((_request, response) => response.end(), { tls: true, host: '127.0.0.2' });
    closing.push(served.close);
    const error = await askAt(make(testAuthority), served.url);
    expect(error).toMatchObject({ code: 'NETWORK', retryable: false, attempts: 1 });
    expect(messagesOf(error)).toEqual(
      both(/certificate is for another host name .*Check the host name in the address/),
    );
  });

  test('https to a server that speaks http', async () => {
    const served = await serve((_request, response) => response.end());
    closing.push(served.close);
    const error = await askAt(make(testAuthority), served.url.replace('http:', 'https:'));
    expect(error).toMatchObject({ code: 'NETWORK', retryable: false, attempts: 1 });
    expect(messagesOf(error)).toEqual(
      both(/does not speak this TLS .*must begin with http:\/\/ instead of https:\/\//),
    );
  });

  test('http to a server that speaks https', async () => {
    const served = await serve((_request, response) => response.end(), { tls: true });
    closing.push(served.close);
    const error = await askAt(make(testAuthority), served.url.replace('https:', 'http:'));
    expect(error).toMatchObject({ code: 'NETWORK', operation: 'login' });
    expect(messagesOf(error)).toEqual(both(/must begin with https:\/\/ instead of http:\/\//));
  });

  test('an authority that nobody trusts', async () => {
    const served = await serve((_request, response) => response.end(), { tls: true });
    closing.push(served.close);
    const { rootCertificates } = await import('node:tls');
    const error = await askAt(make(rootCertificates[0] ?? ''), served.url);
    expect(messagesOf(error)).toEqual(both(/authority .* is not trusted here .*NODE_EXTRA_CA_CERTS/));
  });
});

test.each([
  ['CERT_HAS_EXPIRED', /has expired .*renew it.*clock/],
  ['CERT_NOT_YET_VALID', /is not valid yet .*clock/],
  ['HPE_INVALID_CONSTANT', /does not speak HTTP .*https:\/\/ instead of http:\/\//],
])('%s', async (code, pattern) => {
  const failing = {
    fetch: () => Promise.reject(Object.assign(new Error('x'), { code })),
    close: async () => undefined,
  };
  expect(messagesOf(await askAt(failing, 'http://service.test'))).toEqual(both(pattern));
});

describe('an error that another contract explains', () => {
  const drift = /fleet schema check/;
  async function answered(answer: unknown, status = 200): Promise<string[]> {
    const service = makeService();
    const fleet = makeClient(service, {
      fetch: (url, init) =>
        url.endsWith('/graphql') ? Promise.resolve(Response.json(answer, { status })) : service.fetch(url, init),
    });
    return messagesOf(await rejection(fleet.getRoles()));
  }
  const error = (message: string, extensions = {}) => ({ errors: [{ message, extensions }] });

  test.each([
    ['graphql-java', error('x', { classification: 'ValidationError' }), 200],
    ['with 400', error('x', { classification: 'ValidationError' }), 400],
    ['Apollo', error('x', { code: 'GRAPHQL_VALIDATION_FAILED' }), 400],
    ['graphql-js', error('Cannot query field "rights" on type "Role".'), 200],
    ['no such member', { data: { other: [] } }, 200],
    ['no list', { data: { getRoles: {} } }, 200],
  ])('%s: names the command that compares them', async (_service, answer, status) => {
    expect(await answered(answer, status)).toEqual(both(drift));
  });

  test.each([
    ['a failure of the service', error('database is down', { classification: 'DataFetchingException' })],
    ['a value', error("Variable 'id' has an invalid value: no UUID", { classification: 'ValidationError' })],
  ])('not %s', async (_what, answer) => {
    const texts = await answered(answer);
    expect(texts.filter((text) => drift.test(text))).toEqual([]);
  });
});
