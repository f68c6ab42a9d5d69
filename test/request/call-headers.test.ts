// The headers of one call: different headers prevent merging. headers.test.ts tests them over HTTP.
import { expect, test } from 'vitest';
import { InvalidInputError } from '../../src/index.js';
import { makeClient, makeService, rejection } from './setup.js';

test('keep calls apart that have others, and those with the same travel together', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  await fleet.getUserInfo();
  service.clearRequests();
  const alice = { headers: { 'x-end-user': 'alice' } };
  await Promise.all([
    fleet.getRoles({}, alice),
    fleet.getLabels({}, { headers: { 'x-end-user': 'alice' } }),
    fleet.getRules({}, { headers: { 'x-end-user': 'bob' } }),
    fleet.getGroups(),
  ]);
  expect(service.requests.map(({ operations }) => operations)).toEqual([
    ['getRoles', 'getLabels'],
    ['getRules'],
    ['getGroups'],
  ]);
});

test('are copied when the call is made', async () => {
  const seen: (string | undefined)[] = [];
  const service = makeService();
  const fleet = makeClient(service, {
    fetch: (url, init) => {
      if (url.endsWith('/graphql')) seen.push(init.headers['x-job']);
      return service.fetch(url, init);
    },
  });
  const headers = { 'x-job': 'one' };
  const called = fleet.getRoles({}, { headers });
  headers['x-job'] = 'two';
  await called;
  expect(seen).toEqual(['one']);
});

test.each([
  [{ authorization: 'Bearer x' }, /headers must not have authorization: the client sets it/],
  [{ 'User-Agent': 'x' }, /headers must not have user-agent: the option userAgent sets it/],
  [{ 'x-a': 'a\nb' }, /headers must have values that are strings and fit in a header/],
  [new Headers({ 'x-a': '1' }), /headers must be a plain object/],
])('are refused before anything is sent: %j', async (headers, message) => {
  const service = makeService();
  const error = await rejection(makeClient(service).getRoles({}, { headers: headers as never }));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(String(error)).toMatch(message);
  expect(service.requests).toEqual([]);
});
