// Answers with several long lists, over real connections.
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { AbortFlag } from '../../src/core/deadline.js';
import { readResponse } from '../../src/request/answer.js';
import { failureOf } from '../../src/request/failure.js';
import { RowBodies, rowsFetch } from '../../src/rows/rows-fetch.js';
import { customFetchTransport } from '../../src/transport/custom-fetch.js';
import type { HttpResponse, HttpTransport } from '../../src/transport/http-transport.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { DEFAULT_LIMIT } from '../../src/transport/response-limits.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { serve } from '../request/http-server.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const rowsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name, at, text: `${'ä'.repeat(20)}"],"q1":[{` }));
const lists = { q0: rowsOf('first', 4000), q1: [], q2: rowsOf('third', 2000) };
const answer = { data: { ...lists, q3: null }, errors: [{ message: 'no such vehicle', path: ['q3'] }] };
const body = Buffer.from(JSON.stringify(answer));

async function ask(
  respond: (outgoing: ServerResponse) => void,
  http: HttpTransport = undiciTransport({}),
  limit = DEFAULT_LIMIT,
) {
  const served = await serve((_request, outgoing) => respond(outgoing));
  closing.push(served.close, () => http.close());
  const list = { expectedBytes: 0, maxBytes: Number.POSITIVE_INFINITY };
  const byName = new Map(['q0', 'q1', 'q2', 'q3'].map((name) => [name, list]));
  const bodyOfRows = new RowBodies(limit).bodyOf({ byName, isOnly: false });
  const fetch = rowsFetch(http.fetch.bind(http), bodyOfRows, new AbortFlag());
  let response: HttpResponse | null = null;
  const outcome = await fetch(`${served.url}/graphql`, { method: 'POST', headers: {} })
    .then((arrived) => {
      response = arrived;
      return readResponse(arrived);
    })
    .catch((error: unknown) => ({ failure: failureOf(error, response?.status ?? null) }));
  const lists = [...(bodyOfRows.lists ?? [])];
  const rows = Object.fromEntries(
    lists.map(([name, list]) => {
      const all: unknown[] = [];
      for (let some = list.next(); some; some = list.next()) all.push(...some);
      return [name, all];
    }),
  );
  return { outcome, rows };
}

test.each([
  ['undici', () => undiciTransport({})],
  ['node:http', () => nodeTransport()],
  ['a fetch', () => customFetchTransport(fetch)],
])('by %s: the rows of each list are beside the answer, and an empty list is left in it', async (_, http) => {
  const { outcome, rows } = await ask((outgoing) => outgoing.end(body), http());
  expect(rows).toEqual(lists);
  expect(outcome).toMatchObject({
    value: { data: { q0: [], q1: [], q2: [], q3: null }, errors: answer.errors },
    response: { bytes: body.length },
  });
});

test.each([
  ['gzip', gzipSync(body)],
  ['br', brotliCompressSync(body)],
])('compressed by %s', async (encoding, compressed) => {
  const { outcome, rows } = await ask((outgoing) => outgoing.setHeader('content-encoding', encoding).end(compressed));
  expect(rows).toEqual(lists);
  expect(outcome).toMatchObject({ response: { bytes: body.length } });
});

test.each([
  ['as it is', (outgoing: ServerResponse) => outgoing.end(body), undefined],
  [
    'compressed',
    (outgoing: ServerResponse) => outgoing.setHeader('content-encoding', 'gzip').end(gzipSync(body)),
    undefined,
  ],
  ['from a fetch', (outgoing: ServerResponse) => outgoing.end(body), () => customFetchTransport(fetch)],
])('larger than allowed, %s: no rows, and the failure says so', async (_, respond, http) => {
  const { outcome, rows } = await ask(respond, http?.(), { maxBytes: body.length - 1 });
  expect(outcome).toMatchObject({ failure: { kind: 'tooLarge', limitBytes: body.length - 1 } });
  expect(rows).toEqual({});
});

test('compressed to do harm: given up before it is in memory', async () => {
  const harmful = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const { outcome } = await ask((outgoing) => outgoing.setHeader('content-encoding', 'gzip').end(harmful));
  expect(outcome).toMatchObject({ failure: { kind: 'tooLarge' } });
});

test.each([
  ['the status 400', (outgoing: ServerResponse) => outgoing.writeHead(400).end('{"errors":[]}'), 'status'],
  ['a page', (outgoing: ServerResponse) => outgoing.end('<html></html>'), 'malformed'],
  ['a part of it', (outgoing: ServerResponse) => outgoing.end(body.subarray(0, 100_000)), 'truncated'],
  [
    'a lost connection',
    (outgoing: ServerResponse) => {
      outgoing.writeHead(200, { 'content-length': body.length });
      outgoing.write(body.subarray(0, 100_000), () => outgoing.destroy());
    },
    'truncated',
  ],
])('%s is the failure that it is for every call', async (_, respond, kind) => {
  expect((await ask(respond)).outcome).toMatchObject({ failure: { kind } });
});
