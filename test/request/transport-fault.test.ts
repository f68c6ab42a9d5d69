// Exceptions that are no network errors: reported once, with their type and stack.
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Fetch, FleetClient, type Gate } from '../../src/index.js';
import { ClientOver, makeClient, makeService, rejection } from './setup.js';

const bug = Object.assign(new TypeError("Cannot read properties of undefined (reading 'agent')"), { code: 'ERR_BUG' });
/** The caller's copy of it: the original message may quote the request. */
const bugWithoutMessage = expect.objectContaining({
  name: 'TypeError',
  code: 'ERR_BUG',
  message: 'ERR_BUG',
  stack: expect.stringMatching(/^TypeError: ERR_BUG\n +at .*transport-fault\.test\.ts:\d+/),
});

function failing(service: { fetch: Fetch }, fail: (init: Parameters<Fetch>[1]) => ReturnType<Fetch>) {
  const calls = { count: 0 };
  const fetch: Fetch = (url, init) => {
    if (!url.endsWith('/graphql')) return service.fetch(url, init);
    calls.count++;
    return fail(init);
  };
  return { fetch, calls };
}

describe('a fetch of the program that throws', () => {
  test('rejects a query at once, with the name, the code and the stack of the thrown error', async () => {
    const service = makeService();
    const { fetch, calls } = failing(service, () => Promise.reject(bug));
    const error = await rejection(makeClient(service, { fetch }).getRoles());
    expect(error).toMatchObject({ code: 'TRANSPORT', name: 'TransportError', retryable: false, operation: 'getRoles' });
    expect(error).toMatchObject({ cause: bugWithoutMessage });
    expect(calls.count).toBe(1);
  });

  test('synchronously, or a value that is not an error', async () => {
    const service = makeService();
    const thrower = failing(service, () => {
      throw bug;
    });
    const thrown = await rejection(makeClient(service, { fetch: thrower.fetch }).getRoles());
    expect(thrown).toMatchObject({ cause: bugWithoutMessage });
    const text = failing(service, () => Promise.reject('nope'));
    const error = await rejection(makeClient(service, { fetch: text.fetch }).getRoles());
    expect(error).toMatchObject({ code: 'TRANSPORT', cause: { name: 'Error', message: 'Error' } });
    expect(inspect(error)).not.toContain('nope');
  });

  test('a change may have been made: it is in doubt, not repeated, and the exception is at the bottom', async () => {
    const service = makeService();
    const { fetch, calls } = failing(service, () => Promise.reject(bug));
    const fleet = makeClient(service, { fetch });
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', cause: { code: 'TRANSPORT', cause: bugWithoutMessage } });
    expect(calls.count).toBe(1);
  });

  test('while its answer is read, or in place of one', async () => {
    const service = makeService();
    const unreadable = failing(service, async () => ({ ...Response.json({}), status: 200, text: () => bug }) as never);
    const nothing = failing(service, async () => undefined as never);
    for (const { fetch, calls } of [unreadable, nothing]) {
      const error = await rejection(makeClient(service, { fetch }).getRoles());
      expect(error).toMatchObject({ code: 'TRANSPORT', cause: { name: 'TypeError' } });
      expect(calls.count).toBe(1);
    }
  });

  test('at the login', async () => {
    const service = makeService();
    let calls = 0;
    const fetch: Fetch = () => {
      calls++;
      return Promise.reject(bug);
    };
    const error = await rejection(makeClient(service, { fetch }).getRoles());
    expect(error).toMatchObject({ code: 'TRANSPORT', operation: 'login', cause: bugWithoutMessage });
    expect(calls).toBe(1);
  });

  test.each<[string, (request: unknown) => unknown]>([
    ['its message', (request) => new TypeError(`no agent for ${JSON.stringify(request)}`)],
    ['a message of many lines', (request) => new TypeError(`no agent\n    at ${JSON.stringify(request, null, 4)}`)],
    [
      'its own members',
      (request) => Object.assign(new TypeError('no agent'), { request, code: JSON.stringify(request) }),
    ],
    ['its cause', (request) => new TypeError('no agent', { cause: new Error(JSON.stringify(request)) })],
    ['its name', (request) => Object.assign(new TypeError('no agent'), { name: JSON.stringify(request) })],
    ['what is no error', (request) => request],
  ])('nothing that %s quotes of the request is shown', async (_where, thrownFor) => {
    const service = makeService();
    const { fetch } = failing(service, (init) => Promise.reject(thrownFor(init)));
    const error = await rejection(makeClient(service, { fetch }).getVehiclesByVin({ vin: 'planted-vin' }));
    expect(error).toMatchObject({ code: 'TRANSPORT', cause: expect.any(Error) });
    const shown = inspect(error, { depth: 10, showHidden: true, getters: true });
    expect(shown).not.toMatch(/planted-vin|Bearer \w/);
  });
});

test.each([
  new Error('Dynamic require of "node:assert" is not supported'),
  Object.assign(new Error('No such built-in module: node:sqlite'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' }),
])('a transport that a bundler broke: %s', async (broken) => {
  let tries = 0;
  const fetch = () => {
    tries++;
    return Promise.reject(broken);
  };
  const transport = () => ({ fetch, close: async () => undefined });
  const options = { baseUrl: 'http://service.test', credentials: { username: 'a', password: 'b' } };
  const error = await rejection(new ClientOver(transport, options).getRoles());
  expect(error).toMatchObject({
    code: 'TRANSPORT',
    cause: { name: 'Error', stack: expect.stringContaining('.test.ts') },
  });
  expect(inspect(error)).not.toContain(broken.message);
  expect(tries).toBe(1);
});

test('reports a gate that throws as a fault of the gate', async () => {
  const service = makeService();
  const fleet = makeClient(service, {
    gate: {
      hold: () => {
        throw bug;
      },
    },
  });
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'GATE', cause: bug, attempts: 0, retryable: true });
});

test('a gate that fails after the change was made does not hide its answer', async () => {
  const gate: Gate = {
    hold: async (_key, task) => {
      await task();
      throw bug;
    },
  };
  const fleet = makeClient(makeService(), { gate });
  expect(await fleet.createGroup({ createGroupInput: { name: 'Once' } })).toMatchObject({ name: 'Once' });
});

test('a gate that does not hand the answer on leaves a change in doubt, and is to blame for a query', async () => {
  const gate: Gate = { hold: (_key, task) => task().then(() => undefined as never) };
  const fleet = makeClient(makeService(), { gate });
  const create = rejection(fleet.createGroup({ createGroupInput: { name: 'Once' } }));
  expect(await create).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1, retryable: false });
  const error = await rejection(fleet.getRoles());
  expect(error).toMatchObject({ code: 'GATE', attempts: 1, message: expect.stringContaining('has no answer') });
});

test('a gate that never lets the call begin has failed', async () => {
  const gate: Gate = { hold: async () => undefined as never };
  const error = await rejection(makeClient(makeService(), { gate }).getRoles());
  expect(error).toMatchObject({ code: 'GATE', attempts: 0, message: expect.stringContaining('was not sent') });
});

test.each([
  ['without a name', ''],
  ['to websocket', 'upgrade: websocket\r\nconnection: upgrade\r\n'],
])('takes an unrequested change of protocol %s as an answer, not as a fault of the program', async (_to, head) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head}\r\n`));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // a server on a port has an AddressInfo
  const credentials = { username: 'demo', password: 'demo' };
  const fleet = new FleetClient({ baseUrl: `http://127.0.0.1:${port}`, credentials, retry: false });
  onTestFinished(() => fleet.close());
  const error = await rejection(fleet.getRoles());
  expect(error).toMatchObject({ code: 'HTTP', status: 101, operation: 'login' });
});
