// Responses that are too large: cancelled, reported once, and never decoded in one go.
import { PassThrough } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fetch, FleetClient, type FleetClientOptions } from '../../src/index.js';
import { bodyText } from '../../src/transport/http-response.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { ResponseTooLarge } from '../../src/transport/response-limits.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { answerFrom, type Served, serve } from '../request/http-server.js';
import { ClientOver, makeService, rejection } from '../request/setup.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const MIB = 1024 * 1024;
const answerOf = (bytes: number) => Buffer.from(`{"data":{"getRoles":[],"x":"${'x'.repeat(bytes)}"}}`);
/** 100 MiB of one letter in some kilobytes. */
const bomb = await brotliOf('x'.repeat(MIB), 100);

async function brotliOf(piece: string, times: number): Promise<Buffer> {
  const input = new PassThrough();
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const output = input.pipe(createBrotliCompress({ params }));
  const chunks: Buffer[] = [];
  const done = (async () => {
    for await (const chunk of output) chunks.push(chunk);
  })();
  for (let at = 0; at < times; at++)
    if (!input.write(piece)) await new Promise((resolve) => input.once('drain', resolve));
  input.end();
  await done;
  return Buffer.concat(chunks);
}

async function serving(body: Buffer, encoding?: string): Promise<Served & { requestCount: () => number }> {
  const service = makeService();
  let requestCount = 0;
  const served = await serve((request, response) => {
    if (request.url !== '/graphql') return void answerFrom(service, request, response);
    requestCount++;
    request.resume();
    response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
  });
  closing.push(served.close);
  return { ...served, requestCount: () => requestCount };
}

const globalFetch: Fetch = (url, init) => fetch(url, init);
const makers: readonly (readonly [string, (options: FleetClientOptions) => FleetClient | ClientOver])[] = [
  ['undici', (options) => new FleetClient(options)],
  ['node:http', (options) => new ClientOver(() => nodeTransport(), options)],
  ['the global fetch', (options) => new FleetClient({ ...options, fetch: globalFetch })],
];

describe.each(makers)('over %s', (name, make) => {
  const clientOf = (baseUrl: string, maxResponseBytes?: number) => {
    const credentials = { username: 'demo', password: 'demo' };
    const limit = maxResponseBytes === undefined ? {} : { maxResponseBytes };
    const fleet = make({ baseUrl, credentials, retry: { baseDelayMs: 0 }, ...limit });
    closing.push(() => fleet.close());
    return fleet;
  };

  test.each([
    ['plain', (body: Buffer) => body, undefined],
    ['gzip', (body: Buffer) => gzipSync(body), 'gzip'],
    ['brotli', (body: Buffer) => brotliCompressSync(body), 'br'],
  ])('a %s answer above maxResponseBytes is told once, one below is read', async (_how, compress, encoding) => {
    const { url, requestCount } = await serving(compress(answerOf(100_000)), encoding);
    const error = await rejection(clientOf(url, 100_000).getRoles());
    expect(error).toMatchObject({ code: 'RESPONSE_TOO_LARGE', limitBytes: 100_000, attempts: 1, retryable: false });
    expect(requestCount()).toBe(1);
    expect(await clientOf(url, 101_000).getRoles()).toEqual([]);
    expect(await clientOf(url).getRoles()).toEqual([]);
  });

  test('a change whose answer is too large is in doubt, and not sent again', async () => {
    const { url, requestCount } = await serving(answerOf(100_000));
    const change = clientOf(url, 1_000).createGroup({ createGroupInput: { name: 'x' } });
    expect(await rejection(change)).toMatchObject({
      code: 'AMBIGUOUS_MUTATION',
      cause: { code: 'RESPONSE_TOO_LARGE' },
    });
    expect(requestCount()).toBe(1);
  });

  // The global fetch does not report the compressed size.
  if (name === 'the global fetch') return;
  test('a body that becomes thousands of times larger is given up', async () => {
    const { url, requestCount } = await serving(bomb, 'br');
    const error = await rejection(clientOf(url, Number.POSITIVE_INFINITY).getRoles());
    expect(error).toMatchObject({ code: 'RESPONSE_TOO_LARGE', limitBytes: 16 * MIB });
    expect(requestCount()).toBe(1);
  });
});

test('a large body that arrives without end is given up when it exceeds the limit, not when it ends', async () => {
  const served = await serve((_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  closing.push(served.close);
  for (const transport of [undiciTransport({}), nodeTransport()]) {
    closing.push(() => transport.close());
    const requestCount = transport.fetch(served.url, { method: 'GET', headers: {}, limit: { maxBytes: MIB } });
    expect(await rejection(requestCount)).toBeInstanceOf(ResponseTooLarge);
  }
});

describe('a long body', () => {
  async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; value: T }> {
    let turns = 0;
    let immediate = setImmediate(function again() {
      turns++;
      immediate = setImmediate(again);
    });
    try {
      return { value: await work, turns };
    } finally {
      clearImmediate(immediate);
    }
  }

  const row = (id: number) => `{"name":"Zürich – Genève","id":"${(id * 2_654_435_761) % 2 ** 32}"},`;
  const text = Array.from({ length: 550_000 }, (_, id) => row(id)).join('');
  const body = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) =>
    body.subarray(at * 65_536, (at + 1) * 65_536),
  );

  test.each([
    ['plain', pieces, null],
    ['gzip', [gzipSync(body)], 'gzip'],
    [
      'brotli, twice compressed',
      [gzipSync(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }))],
      'br, gzip',
    ],
  ])('%s is decoded in pieces, between which everything else goes on', async (_how, chunks, encoding) => {
    const { turns, value } = await turnsDuring(bodyText(chunks, encoding, { maxBytes: 256 * MIB }));
    expect(value).toBe(text);
    // 25 MiB in pieces of 4 MiB and less.
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('of a few bytes that become megabytes is not decompressed in one go', async () => {
    const small = brotliCompressSync(Buffer.alloc(12 * MIB, 'x'));
    expect(small.length).toBeLessThan(16 * 1024);
    const { turns, value } = await turnsDuring(bodyText([small], 'br', { maxBytes: 256 * MIB }));
    expect(value).toHaveLength(12 * MIB);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
