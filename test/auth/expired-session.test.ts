import { expect, test } from 'vitest';
import { memoryTokenStore, type TokenStore } from '../../src/index.js';
import { makeClient, makeService, rejection } from '../request/setup.js';

test('an expired session is removed, but not the one that another process has stored meanwhile', async () => {
  const service = makeService();
  const baseStore = memoryTokenStore();
  await makeClient(service, { tokenStore: baseStore, sessionKey: 'demo' }).login();
  service.clock.advance(13 * 60 * 60_000);
  const other = makeService({ clock: service.clock });
  const tokenStore: TokenStore = {
    ...baseStore,
    // This store has no lock: another process logs in between the load and the removal.
    withLock: (_key, task) => task(),
    async clear(key, ifCurrent) {
      await makeClient(other, { tokenStore: baseStore, sessionKey: 'demo' }).login();
      await baseStore.clear(key, ifCurrent);
    },
  };
  const fleet = makeClient(service, { tokenStore, credentials: undefined, sessionKey: 'demo' });
  expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'SESSION_EXPIRED' });
  expect(await fleet.session()).toMatchObject({ username: 'demo' });
});
