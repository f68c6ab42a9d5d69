// A timeout error before the call was sent names the reason of the wait.
import { expect, test } from 'vitest';
import { type Fetch, type Gate, localGate, memoryTokenStore } from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

function holding(path: string) {
  const service = makeService();
  const requestArrived = createDeferred();
  const answered = createDeferred();
  const fetch: Fetch = async (url, init) => {
    if (url.endsWith(path)) {
      requestArrived.resolve();
      await answered.promise;
    }
    return service.fetch(url, init);
  };
  return { service, fetch, asked: requestArrived.promise, answer: answered.resolve };
}

test.each([
  ['/login/token', /had not answered the login\b/],
  ['/login/userinfo', /had not answered the request for the users/],
])('%s', async (path, message) => {
  const { service, fetch, asked: requestArrived, answer } = holding(path);
  const fleet = makeClient(service, { fetch });
  const controller = new AbortController();
  const aborted = rejection(fleet.getLabels({}, { signal: controller.signal }));
  const alsoAborted = rejection(fleet.listLoginUsers({ signal: controller.signal }));
  await requestArrived;
  const late = rejection(fleet.listLoginUsers({ timeoutMs: 1 }));
  expect(await late).toMatchObject({ code: 'TIMEOUT', message: expect.stringMatching(message) });
  controller.abort();
  expect(await aborted).toMatchObject({ code: 'ABORTED', message: expect.stringMatching(message) });
  expect(await alsoAborted).toMatchObject({ code: 'ABORTED', message: expect.stringMatching(message) });
  answer();
});

test('/login/refresh, when the user is known', async () => {
  const { service, fetch, asked: requestArrived, answer } = holding('/login/refresh');
  const fleet = makeClient(service, { fetch });
  await fleet.getLabels();
  service.clock.advance(301_000);
  const controller = new AbortController();
  const aborted = rejection(fleet.getLabels({}, { signal: controller.signal }));
  await requestArrived;
  controller.abort();
  expect(await aborted).toMatchObject({
    message: expect.stringMatching(/before it was sent: .*answered the refresh request\b/),
  });
  answer();
});

test('the turn of others, in the lane and at the gate', async () => {
  const { service, fetch, asked: requestArrived, answer } = holding('/graphql');
  const local = localGate();
  const atGate = createDeferred();
  let holds = 0;
  const gate: Gate = {
    hold(key, task, options) {
      holds++;
      if (holds === 2) atGate.resolve();
      return local.hold(key, task, options);
    },
  };
  const shared = { fetch, gate, tokenStore: memoryTokenStore() };
  const fleet = makeClient(service, { ...shared, merge: false });
  const first = fleet.getLabels();
  await requestArrived;
  const waiting = rejection(fleet.getRoles({}, { timeoutMs: 1 }));
  expect(await waiting).toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringMatching(/other calls of the same user were still under way/),
  });
  const controller = new AbortController();
  const elsewhere = rejection(makeClient(service, shared).getRoles({}, { signal: controller.signal }));
  await atGate.promise;
  controller.abort();
  expect(await elsewhere).toMatchObject({ message: expect.stringMatching(/another client or process/) });
  answer();
  await first;
});

test('a token store that does not answer', async () => {
  const tokenStore = { ...memoryTokenStore(), load: () => new Promise<null>(() => undefined) };
  const late = await rejection(makeClient(makeService(), { tokenStore }).listLoginUsers({ timeoutMs: 1 }));
  expect(late).toMatchObject({ code: 'TIMEOUT', message: expect.stringMatching(/token store/) });
});
