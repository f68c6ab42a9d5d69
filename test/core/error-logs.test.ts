// The text of an error in logs. test/consumers/loggers tests real loggers.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Fetch, FleetError, type WarningEvent } from '../../src/index.js';
import { makeClient, makeService, rejection } from '../request/setup.js';

const SAID = 'Bearer said-by-the-service';

const logs: Readonly<Record<string, (error: unknown) => string>> = {
  'util.inspect': (error) => inspect(error, { depth: 20, showHidden: true, getters: true }) + inspect({ error }),
  'JSON.stringify': (error) => JSON.stringify({ error }) + JSON.stringify(error),
  structuredClone: (error) => inspect(structuredClone(error), { depth: 20, showHidden: true }),
  'a look at every property': (error) => {
    const seen: unknown[] = [];
    for (const key in Object(error)) seen.push(Reflect.get(Object(error), key));
    for (const key of Reflect.ownKeys(Object(error))) seen.push(Reflect.get(Object(error), key));
    return inspect([seen, { ...Object(error) }], { depth: 20 });
  },
};

async function errorOf(fault: 'graphqlError' | 'status', options = {}): Promise<FleetError> {
  const service = makeService();
  service.faults.add({ kind: fault, message: SAID, operation: 'getRoles', ...(fault === 'status' && { status: 500 }) });
  const error = await rejection(makeClient(service, { retry: false, ...options }).getRoles());
  if (!FleetError.is(error)) throw error;
  return error;
}

describe.each(['graphqlError', 'status'] as const)('the words of the service in an error of a %s', (fault) => {
  test.each(Object.entries(logs))('are not shown by %s', async (_name, log) => {
    const error = await errorOf(fault);
    const shown = log(error);
    expect(shown).toContain('getRoles');
    expect(shown).not.toContain(SAID);
    expect(error).toHaveProperty('serviceErrors', [expect.objectContaining({ message: SAID })]);
    expect(Reflect.has(error, 'errors')).toBe(false);
  });

  test('are in the message, and so in the log, of a client that exposes them', async () => {
    const error = await errorOf(fault, { exposeServiceMessages: true });
    expect(error.message).toContain(`The service said: ${SAID}`);
    expect(error.stack).toContain(error.message);
    expect(logs['util.inspect']?.(error)).toContain(SAID);
    expect(JSON.stringify(error)).toContain(SAID);
  });
});

test('a change whose outcome is unknown says what the service said of it', async () => {
  const service = makeService();
  service.faults.add({ kind: 'status', status: 500, message: SAID, operation: 'createGroup' });
  const fleet = makeClient(service, { exposeServiceMessages: true });
  const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
  expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', message: expect.stringContaining(SAID) });
});

test('a very long word of the service is cut', async () => {
  const service = makeService();
  service.faults.add({ kind: 'graphqlError', message: 'x'.repeat(100_000), operation: 'getRoles' });
  const error = await rejection(makeClient(service, { exposeServiceMessages: true }).getRoles());
  expect(error).toHaveProperty(
    'message.length',
    expect.toSatisfy((length: number) => length < 2_000),
  );
});

test('a warning with the words of the service does not show them', async () => {
  const warnings: WarningEvent[] = [];
  const service = makeService();
  const fetch: Fetch = async (url, init) =>
    url.endsWith('/graphql')
      ? Response.json({ data: { getRoles: [{ id: null }] }, errors: [{ message: SAID, path: ['getRoles', 0, 'id'] }] })
      : service.fetch(url, init);
  const fleet = makeClient(service, { fetch, hooks: { onWarning: (event) => warnings.push(event) } });
  await fleet.getRoles({}, { partial: true });
  const [warning] = warnings;
  expect(warning).toMatchObject({ code: 'PARTIAL_DATA', errors: [expect.objectContaining({ message: SAID })] });
  const shown = `${inspect(warning, { depth: 20 })} ${JSON.stringify(warning)}`;
  expect(shown.match(/PARTIAL_DATA/g)).toHaveLength(2);
  expect(shown).not.toContain(SAID);
});
