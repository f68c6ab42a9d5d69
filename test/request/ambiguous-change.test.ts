// The outcome of a mutation that may have arrived stays unknown after later failures.
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { makeClient, makeService, rejection } from './setup.js';

test('an idempotent change that was cut off, and then could not be sent again, may have been made', async () => {
  const service = makeService();
  const failures = ['ECONNRESET', 'ECONNREFUSED'];
  const fetch: Fetch = (url, init) => {
    const code = url.endsWith('/graphql') ? failures.shift() : undefined;
    if (code === undefined) return service.fetch(url, init);
    return Promise.reject(
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) }),
    );
  };
  const fleet = makeClient(service, { fetch, retry: { attempts: 2, baseDelayMs: 1 } });
  const change = fleet.createGroup({ createGroupInput: { name: 'North' } }, { idempotent: true });
  expect(await rejection(change)).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 2 });
});

test.each([
  [503, { status: 503 }, 'createGroup was answered with HTTP 503, so it is not known whether the change was made.'],
  [500, { status: 500 }, 'createGroup was answered with HTTP 500, so it is not known whether the change was made.'],
])('a change that is answered with %i says so, and the error has the status', async (status, facts, sentence) => {
  const service = makeService();
  service.faults.add({ kind: 'status', status, operation: 'createGroup' });
  const error = await rejection(makeClient(service).createGroup({ createGroupInput: { name: 'North' } }));
  expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', ...facts, message: expect.stringContaining(sentence) });
});

test('a change that was cut off, and whose headers then fail, may have been made', async () => {
  const service = makeService();
  service.faults.add({ kind: 'status', status: 503, operation: 'createGroup' });
  const problem = new Error('no signature');
  const fleet = makeClient(service, {
    headers: ({ operations, attempt }) => {
      if (operations.includes('createGroup') && attempt > 1) throw problem;
      return {};
    },
  });
  const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'North' } }, { idempotent: true }));
  expect(error).toMatchObject({
    code: 'AMBIGUOUS_MUTATION',
    status: 503,
    attempts: 1,
    retryable: false,
    cause: { code: 'HEADERS', cause: problem },
  });
});

test('a change that is aborted before it is sent again says what the last request was answered with', async () => {
  const service = makeService();
  service.faults.add({ kind: 'status', status: 503, operation: 'createGroup' });
  const ending = new AbortController();
  const retry = { attempts: 9, baseDelayMs: 60_000, maxDelayMs: 60_000 };
  const fleet = makeClient(service, { retry, hooks: { onRetry: () => ending.abort() }, timeoutMs: 600_000 });
  const options = { idempotent: true, signal: ending.signal };
  const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'North' } }, options));
  expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', status: 503, attempts: 1 });
});

test('a change without an answer has no status', async () => {
  const service = makeService();
  service.faults.add({ kind: 'reset', operation: 'createGroup' });
  const error = await rejection(makeClient(service).createGroup({ createGroupInput: { name: 'North' } }));
  expect(error).toMatchObject({
    code: 'AMBIGUOUS_MUTATION',
    status: null,
    message: expect.stringContaining('no answer arrived'),
  });
});

test.each([['{}'], ['{"data":null}'], ['{"data":{}}'], ['{"data":{"other":1}}']])(
  'a change that is answered with %s, without its result or an error, may have been made',
  async (answer) => {
    const service = makeService();
    const fetch: Fetch = (url, init) =>
      url.endsWith('/graphql') ? Promise.resolve(new Response(answer)) : service.fetch(url, init);
    const change = makeClient(service, { fetch }).createGroup({ createGroupInput: { name: 'North' } });
    expect(await rejection(change)).toMatchObject({
      code: 'AMBIGUOUS_MUTATION',
      status: 200,
      attempts: 1,
      cause: { code: 'PROTOCOL' },
    });
  },
);

test("a document of the caller's own may skip its fields, and then has no result", async () => {
  const service = makeService();
  const fetch: Fetch = (url, init) =>
    url.endsWith('/graphql') ? Promise.resolve(new Response('{"data":{}}')) : service.fetch(url, init);
  const document = 'mutation ($id: UUID!) { deleteGroup(groupId: $id) @skip(if: true) }';
  expect(await makeClient(service, { fetch }).request(document, { id: 'x' })).toEqual({});
});
