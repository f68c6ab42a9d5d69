// Every form of an answer: success, error, truncated, or no GraphQL answer.
import { describe, expect, test } from 'vitest';
import { readResponse } from '../../src/request/answer.js';
import { bodyWriter } from '../../src/request/send.js';

async function receive(text: string, status = 200, fields: Readonly<Record<string, string>> = {}) {
  const ok = status >= 200 && status <= 299;
  const headers = { get: (name: string) => fields[name.toLowerCase()] ?? null };
  const outcome = await readResponse({ ok, status, headers, text: async () => text, json: async () => null });
  return 'value' in outcome ? outcome.value : outcome.failure;
}

test('the body of a request holds the document and its variables', () => {
  const bodyText = bodyWriter();
  for (const [document, id] of [
    ['query a { a }', '1'],
    ['query a { a }', '2'],
    ['query b { b }', '2'],
  ] as const) {
    expect(JSON.parse(bodyText(document, { id }))).toEqual({ query: document, variables: { id } });
  }
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
    ['{"data":{"a":"}'],
    ['{"data":{"a":"\\"}}'],
    ['{"data":{"a":[1,2'],
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
    ['<html>{</html>'],
    ['"text"'],
    ['[1]'],
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
