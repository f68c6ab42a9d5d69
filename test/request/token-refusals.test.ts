// Refused tokens in all forms are replaced once; similar answers are not refusals.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { retryAfterOf } from '../../src/transport/response-headers.js';
import { makeClient, makeService, rejection, statusesOf } from './setup.js';

afterEach(() => void vi.restoreAllMocks());

describe('a token that the service does not know any more', () => {
  test.each([['forbidden'], ['graphql']] as const)(
    'refused in the form %s: is replaced, alone, merged and for userinfo',
    async (refusals) => {
      const service = makeService({ variant: { refusals } });
      const fleet = makeClient(service);
      await fleet.getLabels();
      for (const calls of [
        () => [fleet.getLabels()],
        () => [fleet.getLabels(), fleet.getRoles(), fleet.getGroups()],
        () => [fleet.listLoginUsers()],
        () => [fleet.createGroup({ createGroupInput: { name: 'once' } })],
      ]) {
        service.reset();
        expect((await Promise.all(calls())).every((result) => result !== null)).toBe(true);
        expect(statusesOf(service, '/login/token')).toEqual([200]);
      }
      expect((await fleet.getGroups()).filter(({ name }) => name === 'once')).toHaveLength(1);
    },
  );

  const page = '<html><body>403 Forbidden</body></html>';
  const refusals: Readonly<Record<string, () => Response>> = {
    'WWW-Authenticate': () =>
      new Response(page, { status: 403, headers: { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' } }),
    'an OAuth body': () => Response.json({ error: 'invalid_token' }, { status: 403 }),
    'a GraphQL body': () =>
      Response.json({ errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] }, { status: 403 }),
    'a word for a message': () => Response.json({ errors: [{ message: 'Unauthorized' }] }),
    'an expired JWT': () => Response.json({ data: null, errors: [{ message: 'jwt expired' }] }),
    'an expired JWT of Hasura': () =>
      Response.json({
        errors: [{ message: 'Could not verify JWT: JWTExpired', extensions: { code: 'invalid-jwt', path: '$' } }],
      }),
  };
  const others: Readonly<Record<string, readonly [() => Response, string]>> = {
    'a right that is missing': [() => Response.json({ error: 'insufficient_scope' }, { status: 403 }), 'HTTP'],
    'the page of a gateway': [() => new Response(page, { status: 403 }), 'HTTP'],
    'a message about rights': [() => Response.json({ errors: [{ message: 'Unauthorized for fleet 7' }] }), 'GRAPHQL'],
  };

  const answering = (answer: () => Response, times: number) => {
    const service = makeService();
    let left = times;
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/graphql') && left-- > 0 ? answer() : service.fetch(url, init);
    return { service, fleet: makeClient(service, { fetch }) };
  };

  test.each(Object.keys(refusals))(
    '%s: a new token, once; if that is refused too, an AuthenticationError',
    async (form) => {
      const answer = refusals[form] ?? (() => new Response());
      const once = answering(answer, 1);
      expect(await once.fleet.getLabels()).not.toHaveLength(0);
      expect(statusesOf(once.service, '/login/refresh')).toEqual([200]);
      const always = answering(answer, 99);
      expect(await rejection(always.fleet.getLabels())).toMatchObject({ code: 'AUTHENTICATION', attempts: 2 });
      expect(statusesOf(always.service, '/login/refresh')).toEqual([200]);
    },
  );

  test('a plain 403 against a token that has worked: a new one, once; a second 403 is about rights from then on', async () => {
    const service = makeService();
    let refused = 0;
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/graphql') && refused-- > 0 ? new Response(page, { status: 403 }) : service.fetch(url, init);
    const fleet = makeClient(service, { fetch });
    await fleet.getLabels();
    refused = 1;
    expect(await fleet.getLabels()).not.toHaveLength(0);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    refused = 1;
    const change = fleet.createGroup({ createGroupInput: { name: 'x' } });
    expect(await rejection(change)).toMatchObject({ code: 'HTTP', status: 403, attempts: 1 });
    refused = 2;
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', status: 403, attempts: 2 });
    await fleet.getLabels();
    refused = 1;
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', attempts: 1 });
    expect(statusesOf(service, '/login/refresh')).toEqual([200, 200]);
  });

  test.each(Object.entries(others))('does not take %s for a refusal of the token', async (_form, [answer, code]) => {
    const { service, fleet } = answering(answer, 1);
    expect(await rejection(fleet.getLabels())).toMatchObject({ code, attempts: 1 });
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
  });
});

describe('an error about the token in the answer to a change', () => {
  const refusal = (path?: readonly (string | number)[]) => ({
    message: 'Unauthorized',
    ...(path && { path }),
    extensions: { classification: 'UNAUTHENTICATED' },
  });
  const variables = { createGroupInput: { name: 'North' } };

  /** Answers the first mutation with these errors, after running it if `ran`. */
  async function changed(ran: boolean, errors: readonly object[], idempotent = false, isOwn = false) {
    const service = makeService();
    let isFirst = true;
    const fetch: Fetch = async (url, init) => {
      if (!init.body?.includes('createGroup(') || !isFirst) return service.fetch(url, init);
      isFirst = false;
      if (ran) await (await service.fetch(url, init)).text();
      return Response.json({ data: { createGroup: null }, errors });
    };
    const fleet = makeClient(service, { fetch });
    const document =
      'mutation ($createGroupInput: CreateGroupInput!) { createGroup(createGroupInput: $createGroupInput) { id } }';
    const change = isOwn
      ? fleet.request(document, variables, { idempotent })
      : fleet.createGroup(variables, { idempotent });
    const error = await change.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const made = (await makeClient(service).getGroups()).filter(({ name }) => name === 'North').length;
    return { error, made };
  }

  const inside = [refusal(['createGroup', 'vehicleIds'])];
  const besides = [refusal(['createGroup']), { message: 'boom' }];
  test.each([
    ['from inside of it', inside, false],
    ['from inside of it, of a document of the caller', inside, true],
    ['beside another error', besides, false],
    ['beside another error, of a document of the caller', besides, true],
  ])('%s does not prove that it did not run: it is not sent again', async (_name, errors, isOwn) => {
    const { error, made } = await changed(true, errors, false, isOwn);
    expect(error).toMatchObject({
      code: 'AMBIGUOUS_MUTATION',
      attempts: 1,
      message: expect.stringContaining('an error about its token that does not rule out that it ran'),
    });
    expect(made).toBe(1);
  });

  test('from inside of it does not end a change that may be repeated', async () => {
    expect(await changed(true, inside, true)).toEqual({ error: null, made: 2 });
  });

  test.each([
    ['without a path', [refusal()], false],
    ['at its root', [refusal(['createGroup'])], false],
    ['at its root, of a document of the caller', [refusal(['createGroup'])], true],
  ])('%s proves that it did not run: it is sent again', async (_name, errors, isOwn) => {
    expect(await changed(false, errors, false, isOwn)).toEqual({ error: null, made: 1 });
  });
});

describe('at the login endpoints', () => {
  test('a page of a gateway with 403 counts neither as a wrong password nor as the end of the session', async () => {
    const service = makeService();
    let isBlocked = true;
    const fetch: Fetch = async (url, init) =>
      isBlocked && /login\/(token|refresh)$/.test(url)
        ? new Response('<!DOCTYPE html><html>Access denied</html>', { status: 403 })
        : service.fetch(url, init);
    const fleet = makeClient(service, { fetch });
    const error = await rejection(fleet.login());
    expect(error).toMatchObject({ code: 'HTTP', status: 403, operation: 'login' });
    expect(String(error)).not.toContain('password');
    isBlocked = false;
    await fleet.login();
    isBlocked = true;
    service.clock.advance(301_000);
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', status: 403 });
    isBlocked = false;
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('ids of userinfo may be numbers', async () => {
    const service = makeService();
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/login/userinfo')
        ? Response.json([{ userId: 17, userName: 'me', fleetName: 'Mine', fleetId: 4 }])
        : service.fetch(url, init);
    const users = await makeClient(service, { fetch }).listLoginUsers();
    expect(users).toEqual([{ userId: '17', userName: 'me', fleetName: 'Mine', fleetId: '4' }]);
  });
});

test.each([
  ['7', null, '7'],
  ['7', 'Sun, 01 Mar 2026 12:00:00 GMT', '7'],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 12:00:00 GMT', '30'],
  ['Sun, 01 Mar 2026 11:59:00 GMT', 'Sun, 01 Mar 2026 12:00:00 GMT', '0'],
  ['Sun, 01 Mar 2026 12:00:30 GMT', null, 'Sun, 01 Mar 2026 12:00:30 GMT'],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 'yesterday', 'Sun, 01 Mar 2026 12:00:30 GMT'],
  [null, 'Sun, 01 Mar 2026 12:00:00 GMT', null],
])('Retry-After %j in a response of %j is %j', (retryAfter, date, expected) => {
  const values: Readonly<Record<string, string | null>> = { 'retry-after': retryAfter, date };
  expect(retryAfterOf({ headers: { get: (name) => values[name] ?? null } })).toBe(expected);
});

test('a Retry-After date is a pause from the time of the response, not of this machine', async () => {
  const service = makeService();
  // The shortest random pause.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const pauses: number[] = [];
  let isFirst = true;
  const fetch: Fetch = async (url, init) => {
    if (!url.endsWith('/graphql') || !isFirst) return service.fetch(url, init);
    isFirst = false;
    // The machine's clock is right, this gateway's is wrong.
    const headers = { date: 'Sun, 01 Mar 2037 12:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2037 12:00:00 GMT' };
    return new Response('', { status: 503, headers });
  };
  const fleet = makeClient(service, { fetch, hooks: { onRetry: ({ waitMs }) => pauses.push(waitMs) } });
  await fleet.getLabels();
  expect(pauses).toEqual([0]);
});
