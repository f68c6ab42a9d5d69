// Answers in every form a service may give them: what is a success, an error, cut, or no GraphQL answer at all.
import { describe, expect, test } from 'vitest';
import { AbortFlag } from '../../src/core/abort-flag.js';
import { plainCodec } from '../../src/transport/graphql-codec.js';
import { graphqlRequestCodec } from '../../src/transport/graphql-request-codec.js';
import { graphqlTransport } from '../../src/transport/graphql-transport.js';
import { ServiceClock } from '../../src/transport/service-clock.js';

describe.each([
  ['by hand', plainCodec],
  ['through graphql-request', graphqlRequestCodec],
])('%s', (_how, makeCodec) => {
  async function receive(text: string, status = 200, fields: Readonly<Record<string, string>> = {}) {
    const ok = status >= 200 && status <= 299;
    const headers = { get: (name: string) => fields[name.toLowerCase()] ?? null };
    const response = { ok, status, headers, text: async () => text, json: async () => null };
    const wire = graphqlTransport(
      'http://service.test',
      { fetch: async () => response, close: async () => undefined },
      makeCodec(),
      new ServiceClock(Date),
    );
    const request = {
      document: '{ a }',
      variables: {},
      headers: {},
      signal: new AbortFlag(),
      beforeSend: () => undefined,
    };
    const observed = await wire.send(request);
    return 'value' in observed ? observed.value : observed.failure;
  }

  test('the request holds the document and its variables, under the headers as they were given', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer t', userId: 'u' };
    const request = { url: 'http://service.test/graphql', headers, document: 'query a { a }', variables: { id: '1' } };
    const posted: unknown[] = [];
    const reply = await makeCodec()(request, async (url, sent, body) => {
      posted.push(url, sent, body);
      return Response.json({ data: { a: 1 } });
    });
    expect(posted).toEqual([request.url, headers, '{"query":"query a { a }","variables":{"id":"1"}}']);
    expect(reply).toMatchObject({ status: 200, retryAfter: null, text: '{"data":{"a":1}}' });
  });

  test.each(['the request', 'the response'])('a failure of %s comes through as it was', async (step) => {
    const request = { url: 'http://service.test/graphql', headers: {}, document: '{ a }', variables: {} };
    const failure = Object.assign(new Error('broken'), { code: 'ECONNRESET' });
    const text = () => Promise.reject(failure);
    const response = { ok: true, status: 200, headers: { get: () => null }, text, json: text };
    const replying = makeCodec()(request, () => (step === 'the request' ? text() : Promise.resolve(response)));
    expect(await replying.catch((error: unknown) => error)).toBe(failure);
  });

  const noMessage = { message: 'The service gave no message.' };

  describe('an answer', () => {
    test.each([
      ['{"data":{"a":1},"errors":null}'],
      ['{"data":{"a":1},"extensions":null}'],
      ['{"errors":null,"data":{"a":1},"extensions":null}'],
      ['{"data":{"a":1},"extensions":"traced"}'],
      ['{"data":{"a":1},"errors":[]}'],
    ])('%s is a success', async (text) => {
      expect(await receive(text)).toEqual({ data: { a: 1 }, errors: [] });
    });

    test.each([
      ['["boom"]', [{ message: 'boom' }]],
      ['[null]', [noMessage]],
      ['[5, {"message":"b"}]', [noMessage, { message: 'b' }]],
      ['{"message":"boom"}', [{ message: 'boom' }]],
      ['"boom"', [{ message: 'boom' }]],
      ['[{"path":["a"]}]', [{ ...noMessage, path: ['a'] }]],
      ['false', [noMessage]],
    ])('with errors: %s is never a success', async (errors, entries) => {
      expect(await receive(`{"data":{"a":1},"errors":${errors}}`)).toEqual({ data: { a: 1 }, errors: entries });
      expect(await receive(`{"data":null,"errors":${errors}}`)).toEqual({ data: null, errors: entries });
      expect(await receive(`{"errors":${errors}}`, 400)).toMatchObject({ kind: 'status', errors: entries });
    });

    test.each([
      ['{"data":{"a":1'],
      ['{"data":{"a":"x'],
      ['{"data":{"a":tru'],
      ['{"data":{"a":"\\u00'],
      ['{"data":{"a":-'],
      ['{"data"'],
      ['{'],
      ['{"data":{"a":1  \n'],
    ])('%j just stops: it was cut', async (text) => {
      expect(await receive(text)).toEqual({ kind: 'truncated' });
    });

    test.each([
      [''],
      [' \n'],
      ['{"data":{"a":[}}'],
      ['{"data":{"a":nope}'],
      ['{"data":{"a":1,}}}'],
      ['{"data": [[ }'],
      ['{"Unterminated string in JSON at position 7": nope'],
      ['<html>'],
      ['"text"'],
      ['{"data":null}'],
      ['{}'],
    ])('%j is whole and no GraphQL answer', async (text) => {
      expect(await receive(text)).toEqual({ kind: 'malformed', status: 200 });
    });

    test.each([
      ['{"errors":[{"message":"no"}]}', [{ message: 'no' }]],
      ['<html>', []],
      ['', []],
    ])('of status 503 with %j is that status, with its Retry-After and its GraphQL errors', async (text, errors) => {
      const expected = { kind: 'status', status: 503, retryAfter: '7', errors };
      expect(await receive(text, 503, { 'retry-after': '7' })).toEqual(expected);
    });

    test('labelled as something else than JSON is read all the same', async () => {
      expect(await receive('{"data":{"a":1}}', 200, { 'content-type': 'text/plain' })).toMatchObject({
        data: { a: 1 },
      });
    });

    test('of 204 is none', async () => {
      expect(await receive('', 204)).toEqual({ kind: 'malformed', status: 204 });
    });
  });
});
