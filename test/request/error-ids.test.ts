// An error names the last request of its call: its id in hooks, and the service's id.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Fetch, type FleetClient, type FleetClientOptions, FleetError } from '../../src/index.js';
import { makeClient, makeService, rejection } from './setup.js';

const RETRY = { attempts: 2, baseDelayMs: 1, maxDelayMs: 1 };
const group = { createGroupInput: { name: 'planted-name' } };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Returns a client that gets these answers on this path, each with an id; the last one repeats. */
function clientAnswered(
  path: string,
  answers: readonly Answer[],
  options: Partial<FleetClientOptions> = {},
  id: (n: number, init: Parameters<Fetch>[1]) => string = (n) => `answer-${n}`,
): FleetClient {
  const service = makeService();
  let count = 0;
  const fetch: Fetch = async (url, init) => {
    const answer = url.endsWith(path) ? (answers[count] ?? answers.at(-1)) : undefined;
    if (!answer) return service.fetch(url, init);
    count++;
    const { status, text } = answer;
    const responseHeader = id(count, init);
    const headers = { get: (name: string) => (name === 'x-request-id' ? responseHeader : null) };
    return { ok: status < 300, status, headers, text: async () => text, json: async () => JSON.parse(text) };
  };
  return makeClient(service, { fetch, retry: RETRY, ...options });
}

const busy = { status: 503, text: 'busy' };
const graphqlError = JSON.stringify({ errors: [{ message: 'no' }], data: null });

describe('the id of the service', () => {
  test.each<[string, string, readonly Answer[], (fleet: FleetClient) => Promise<unknown>, string]>([
    ['HTTP', '/graphql', [{ status: 404, text: '' }], (fleet) => fleet.getRoles(), 'answer-1'],
    ['HTTP after a repeat', '/graphql', [busy], (fleet) => fleet.getRoles(), 'answer-2'],
    ['GRAPHQL', '/graphql', [{ status: 200, text: graphqlError }], (fleet) => fleet.getRoles(), 'answer-1'],
    ['GRAPHQL with 400', '/graphql', [{ status: 400, text: graphqlError }], (fleet) => fleet.getRoles(), 'answer-1'],
    ['PROTOCOL', '/graphql', [{ status: 200, text: '<html>' }], (fleet) => fleet.getRoles(), 'answer-1'],
    ['PROTOCOL without member', '/graphql', [{ status: 200, text: '{"data":{}}' }], (f) => f.getRoles(), 'answer-1'],
    ['AMBIGUOUS_MUTATION', '/graphql', [{ status: 500, text: '' }], (f) => f.createGroup(group), 'answer-1'],
    ['AUTHENTICATION of a call', '/graphql', [{ status: 401, text: '' }], (fleet) => fleet.getRoles(), 'answer-2'],
    ['AUTHENTICATION', '/login/token', [{ status: 401, text: '' }], (fleet) => fleet.login(), 'answer-1'],
    ['PROTOCOL of a login', '/login/token', [{ status: 200, text: '{}' }], (fleet) => fleet.login(), 'answer-1'],
    ['HTTP of a login', '/login/token', [busy], (fleet) => fleet.login(), 'answer-2'],
    ['users', '/login/userinfo', [{ status: 401, text: '' }], (fleet) => fleet.listLoginUsers(), 'answer-2'],
    ['a stream', '/graphql', [{ status: 404, text: '' }], (fleet) => fleet.stream('getVehicles').next(), 'answer-1'],
  ])('%s', async (_name, path, answers, call, id) => {
    const error = await rejection(call(clientAnswered(path, answers)));
    expect(error).toBeInstanceOf(FleetError);
    // An id of the client would be unknown to the service's operators.
    expect(error).toMatchObject({ responseId: id, requestId: null });
    expect(String(error)).toContain(`Request id: ${id}.`);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ responseId: id, requestId: null });
    expect(inspect(error)).toContain(`responseId: '${id}'`);
  });

  test.each([
    ['control characters', () => 'a\r\nb'],
    ['words', () => 'two words'],
    ['a long text', () => 'x'.repeat(129)],
    ['markup', () => '<script>'],
    [
      'the token of the request',
      (_n: number, init: Parameters<Fetch>[1]) => (init.headers.authorization ?? '').slice(7),
    ],
    [
      'the token of the request, within other text',
      (_n: number, init: Parameters<Fetch>[1]) => `trace-${(init.headers.authorization ?? '').slice(7)}`,
    ],
    ['a JSON Web Token', () => 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['one without a signature, within other text', () => 'id=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['a variable of the request', () => 'planted-name'],
  ])('is none when it holds %s', async (_name, id) => {
    for (const hooks of [undefined, { onResponse: () => undefined }]) {
      const seen: (string | null)[] = [];
      const watched = hooks && {
        onResponse: ({ responseId }: { responseId: string | null }) => void seen.push(responseId),
      };
      const fleet = clientAnswered('/graphql', [{ status: 500, text: '' }], { hooks: watched }, id);
      const error = await rejection(fleet.createGroup(group));
      expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', responseId: null });
      expect(String(error)).not.toContain('Request id');
      expect(inspect(error)).not.toContain(id(1, { method: 'POST', headers: {} }) || 'nothing');
      expect(seen.at(-1) ?? null).toBeNull();
    }
  });

  test('of the list of users is left out when it holds the token', async () => {
    const id = (_n: number, init: Parameters<Fetch>[1]) => `trace-${(init.headers.authorization ?? '').slice(7)}`;
    const error = await rejection(clientAnswered('/login/userinfo', [busy], {}, id).listLoginUsers());
    expect(error).toMatchObject({ code: 'HTTP', responseId: null });
  });

  test('of a login is left out when it repeats the password', async () => {
    const fleet = clientAnswered('/login/token', [{ status: 401, text: '' }], {}, () => 'demo');
    const error = await rejection(fleet.login());
    expect(error).toMatchObject({ code: 'AUTHENTICATION', responseId: null });
  });
});

describe('the id of the client', () => {
  test('is that of the last request in the hooks', async () => {
    const ids: string[] = [];
    const fleet = clientAnswered('/graphql', [busy], {
      hooks: { onResponse: ({ requestId }) => void ids.push(requestId) },
    });
    const error = await rejection(fleet.getRoles());
    expect(error).toMatchObject({ code: 'HTTP', attempts: 2, requestId: ids.at(-1), responseId: 'answer-2' });
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is what the headers function got, and merged calls share it', async () => {
    const ids: string[] = [];
    const headers = ({ requestId }: { requestId: string }) => {
      ids.push(requestId);
      return {};
    };
    const fleet = clientAnswered('/graphql', [busy], { headers });
    const errors = await Promise.all([rejection(fleet.getRoles()), rejection(fleet.getLabels())]);
    for (const error of errors) expect(error).toMatchObject({ code: 'HTTP', requestId: ids.at(-1) });
    const login = await rejection(clientAnswered('/login/token', [{ status: 401, text: '' }], { headers }).login());
    expect(login).toMatchObject({ code: 'AUTHENTICATION', requestId: ids.at(-1), responseId: 'answer-1' });
  });

  test('is there for a call that was given up on the wire, and null for one that was not sent', async () => {
    const own = new AbortController();
    const ids: string[] = [];
    const service = makeService();
    const fetch: Fetch = (url, init) => {
      if (!url.endsWith('/graphql')) return service.fetch(url, init);
      own.abort();
      return new Promise(() => undefined);
    };
    const fleet = makeClient(service, { fetch, hooks: { onRequest: ({ requestId }) => void ids.push(requestId) } });
    const [sent, unsent] = await Promise.all([
      rejection(fleet.createGroup(group, { signal: own.signal })),
      rejection(fleet.getRoles({}, { signal: own.signal })),
    ]);
    expect(sent).toMatchObject({ code: 'AMBIGUOUS_MUTATION', requestId: ids.at(-1), responseId: null });
    expect(unsent).toMatchObject({ code: 'ABORTED', attempts: 0, requestId: null, responseId: null });
  });
});
