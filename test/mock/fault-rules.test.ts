// Fault rules that can never apply, or have members that their kind ignores, are refused. Otherwise
// a test would pass without the fault.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FaultRule, MockService } from '../../src/mock/service.js';
import { answerOf, frozenService } from './caller.js';

let service: MockService;
beforeEach(() => {
  service = frozenService();
});

const add = async (rule: object) => {
  const init = { method: 'POST', body: JSON.stringify(rule) };
  const { status, text } = await answerOf(await service.fetch('http://mock.test/__mock/faults', init));
  return { status, body: JSON.parse(text) };
};

describe('refused, with what would be right', () => {
  const cases: readonly (readonly [FaultRule, string])[] = [
    [{ kind: 'status', operation: 'getRole' }, 'getRoles'],
    [{ kind: 'status', operation: 'GetRoles' }, 'assignDriver'],
    [{ kind: 'status', operation: 'toString' }, 'assignDriver'],
    [{ kind: 'status', path: '/refresh' }, '/login/token, /login/refresh, /login/userinfo, /graphql, /graphiql'],
    [{ kind: 'status', path: '/api/graphql' }, '/graphql'],
    [{ kind: 'graphqlError', path: '/login/token' }, '/graphql'],
    [{ kind: 'status', path: '/login/refresh', operation: 'getRoles' }, '/graphql'],
    [{ kind: 'delay', ms: 1, status: 500 }, 'kind, times, operation, path, ms'],
    [{ kind: 'reset', message: 'x' }, 'cannot have "message", only kind, times, operation, path'],
    [{ kind: 'html', message: 'x' }, 'cannot have "message", only kind, times, operation, path'],
    [{ kind: 'truncate', retryAfter: 1 }, 'cannot have "retryAfter", only kind, times, operation, path'],
    [{ kind: 'malformed', ms: 1 }, 'cannot have "ms", only kind, times, operation, path'],
    [{ kind: 'graphqlError', status: 500 }, 'cannot have "status", only kind, times, operation, path'],
    [{ kind: 'status', ms: 5 }, 'cannot have "ms", only kind, times, operation, path'],
  ];
  test.each(cases)('%j', async (rule, hint) => {
    const { status, body } = await add(rule);
    expect(status).toBe(400);
    expect(body.error).toContain(hint);
    expect(() => service.faults.add(rule)).toThrow(TypeError);
    expect(service.faults.list()).toEqual([]);
  });
});

test('what can hit is taken, and what is undefined was left out', async () => {
  const rules: readonly FaultRule[] = [
    { kind: 'status', status: 503, retryAfter: 1, message: 'x', times: 2, operation: 'getRoles', path: '/graphql' },
    { kind: 'html', status: 502, retryAfter: 1, path: '/login/token' },
    { kind: 'delay', ms: 1, path: '/graphiql', status: undefined },
    { kind: 'graphqlError', message: 'x', operation: 'getRoles' },
    { kind: 'reset', path: '/login/userinfo' },
    { kind: 'truncate' },
    { kind: 'malformed', path: '/login/refresh' },
  ];
  for (const rule of rules) service.faults.add(rule);
  expect(service.faults.list()).toMatchObject(JSON.parse(JSON.stringify(rules)));
});
