// The authentication rules of the contract.
import { describe, expect, test } from 'vitest';
import { answerOf, caller, form, frozenService, hour, post, refreshed, tokens, users } from './caller.js';

const base = 'http://mock.test/api';

describe('login/token', () => {
  test('answers the form of the contract, which is multipart, with both tokens, scope and lifetime', async () => {
    const { fetch, setVariant } = frozenService();
    const multipart = await tokens(fetch);
    expect(multipart).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: expect.any(String) });
    const body = new URLSearchParams({ username: 'demo', password: 'demo' });
    const send = async () => answerOf(await fetch(`${base}/login/token`, { method: 'POST', body }));
    expect((await send()).status).toBe(415);
    setVariant({ loginForms: 'any' });
    const encoded = await send();
    expect(encoded.status).toBe(200);
    expect(JSON.parse(encoded.text).access_token).not.toBe(multipart.access_token);
  });

  test('refuses a wrong password, a missing field, another content type, a broken form and a wrong method', async () => {
    const { fetch } = frozenService();
    const send = async (init: RequestInit) => answerOf(await fetch(`${base}/login/token`, init));
    const wrong = await send({ method: 'POST', body: form({ username: 'demo', password: 'hunter2' }) });
    expect(wrong.status).toBe(401);
    expect(wrong.text).not.toContain('hunter2');
    expect((await send({ method: 'POST', body: form({ username: 'demo' }) })).status).toBe(400);
    expect((await send({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(
      415,
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await send({ method: 'POST', body: 'nothing of the kind', headers })).status).toBe(400);
    expect((await send({ method: 'GET' })).status).toBe(405);
  });
});

test('the access token is valid for 300 seconds on the service clock', async () => {
  const { fetch, clock } = frozenService();
  const { access_token: token } = await tokens(fetch);
  clock.advance(299_999);
  expect(await users(fetch, token)).toHaveLength(1);
  clock.advance(1);
  await expect(users(fetch, token)).rejects.toThrow('401');
});

test('refreshing works for 12 hours from the issue of the refresh token, however often, and not after', async () => {
  const { fetch, clock } = frozenService();
  const { refresh_token: refresh } = await tokens(fetch);
  clock.advance(11 * hour);
  const renewed = await refreshed(fetch, refresh);
  const answer = JSON.parse(await renewed.text());
  expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 300 });
  expect(await users(fetch, answer.access_token)).toHaveLength(1);
  clock.advance(hour - 1);
  expect((await refreshed(fetch, refresh)).status).toBe(200);
  clock.advance(1);
  expect((await refreshed(fetch, refresh)).status).toBe(401);
});

test("a forged token, an access token as refresh token and another instance's token are refused", async () => {
  const { fetch } = frozenService();
  const other = await tokens(frozenService().fetch);
  const own = await tokens(fetch);
  await expect(users(fetch, 'forged')).rejects.toThrow('401');
  await expect(users(fetch, other.access_token)).rejects.toThrow('401');
  await expect(users(fetch, own.refresh_token)).rejects.toThrow('401');
  expect((await refreshed(fetch, own.access_token)).status).toBe(401);
  expect((await refreshed(fetch, other.refresh_token)).status).toBe(401);
});

test('userinfo lists every user of the login with its fleet', async () => {
  const { fetch } = frozenService();
  const multi = await users(fetch, (await tokens(fetch, 'multi')).access_token);
  expect(multi.map((user) => user.fleetName)).toEqual(['North Fleet', 'South Fleet', 'West Fleet']);
  expect(new Set(multi.flatMap((user) => [user.userId, user.fleetId])).size).toBe(6);
});

describe('graphql', () => {
  const query = JSON.stringify({ query: '{ getRoles { id } }' });

  test('needs a token: 401 without, with a bad one and with an expired one', async () => {
    const { fetch, clock } = frozenService();
    const { headers, user } = await caller(fetch);
    const { userId } = user;
    const refusals = [
      await post(fetch, { userId }, query),
      await post(fetch, { userId, authorization: 'Bearer forged' }, query),
      await post(fetch, { userId, authorization: headers.authorization?.replace('Bearer', 'Basic') ?? '' }, query),
    ];
    clock.advance(300_000);
    refusals.push(await post(fetch, headers, query));
    for (const answer of refusals) {
      expect(answer.status).toBe(401);
      expect(answer.errors[0]?.extensions.classification).toBe('UNAUTHORIZED');
    }
  });

  test('needs a userId or fleetId header: 400 without or malformed, 403 when it is not of this login', async () => {
    const { fetch } = frozenService();
    const { headers, user } = await caller(fetch);
    const authorization = headers.authorization ?? '';
    const foreign = (await caller(fetch, 'multi')).user;
    const status = async (extra: Record<string, string>) =>
      (await post(fetch, { authorization, ...extra }, query)).status;
    expect(await status({ userId: user.userId })).toBe(200);
    expect(await status({ fleetId: user.fleetId.toUpperCase() })).toBe(200);
    expect(await status({ userId: user.userId, fleetId: user.fleetId })).toBe(200);
    expect(await status({})).toBe(400);
    expect(await status({ userId: 'demo' })).toBe(400);
    expect(await status({ fleetId: '' })).toBe(400);
    expect(await status({ userId: foreign.userId })).toBe(403);
    expect(await status({ fleetId: foreign.fleetId })).toBe(403);
    expect(await status({ userId: user.userId, fleetId: foreign.fleetId })).toBe(403);
  });
});

test('own users: their fleets, shared fleets and limits', async () => {
  const service = frozenService({
    users: [
      { username: 'a', password: 'pass', entries: [{ fleet: 'Mine' }] },
      { username: 'b', password: 'b', entries: [{ fleet: 'Mine', group: 'Service', userName: 'b-limited' }] },
    ],
  });
  await expect(tokens(service.fetch, 'demo')).rejects.toThrow('401');
  const all = await users(service.fetch, (await tokens(service.fetch, 'a', 'pass')).access_token);
  const limited = await caller(service.fetch, 'b');
  expect(limited.user).toMatchObject({ userName: 'b-limited', fleetId: all[0]?.fleetId });
  const { getGroups } = await limited.data('{ getGroups { name } }');
  expect(getGroups.map((group: { name: string }) => group.name)).toEqual(['Service', 'Field service']);
});
