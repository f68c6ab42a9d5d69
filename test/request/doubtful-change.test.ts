// A change whose first request may have arrived stays in doubt, whatever happens to the requests after it.
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
