// The audits of the GraphQL over HTTP specification.
import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { caller, frozenService } from './caller.js';

/** Deviations of this service, with reasons. */
const deviations: Readonly<Record<string, string>> = {
  '5A70': 'GET is answered 405, as Spring for GraphQL does: the contract knows POST only',
  D6D5: 'the same',
  '6A70': 'the same',
};

test('all audits pass but the deviations that are listed', async () => {
  const { fetch } = frozenService();
  const demo = await caller(fetch);
  const audits = serverAudits({
    url: 'http://mock.test/graphql',
    // Not every audit reads the body, and an unread response keeps its user active.
    fetchFn: async (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(demo.headers)) headers.set(name, value);
      const answer = await fetch(input, { ...init, headers });
      return new Response(await answer.text(), answer);
    },
  });
  const failed: string[] = [];
  for (const audit of audits) if ((await audit.fn()).status !== 'ok') failed.push(audit.id);
  expect(audits.length).toBeGreaterThan(60);
  expect(failed.sort()).toEqual(Object.keys(deviations).sort());
});
