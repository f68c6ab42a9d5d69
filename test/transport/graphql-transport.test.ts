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
])('%s', (_how, makeExchange) => {
  async function receive(text: string, status = 200) {
    const ok = status >= 200 && status <= 299;
    const headers = { get: () => null };
    const response = { ok, status, headers, text: async () => text, json: async () => null };
    const wire = graphqlTransport(
      'http://service.test',
      { fetch: async () => response, close: async () => undefined },
      makeExchange(),
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
      expect(await receive(`{"errors":${errors}}`, 400)).toMatchObject({ what: 'status', errors: entries });
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
      expect(await receive(text)).toEqual({ what: 'cut' });
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
      expect(await receive(text)).toEqual({ what: 'garbled', status: 200 });
    });

    test('of 204 is none', async () => {
      expect(await receive('', 204)).toEqual({ what: 'garbled', status: 204 });
    });
  });
});
