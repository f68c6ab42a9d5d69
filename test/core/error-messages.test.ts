// The messages for every kind of failure, for programs and for the command line: whole sentences.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commandFailureOf } from '../../src/cli/errors/exit-codes.js';
import { adviceOf, type ErrorFacts, type OffContract } from '../../src/core/error-facts.js';
import { type MessageFacts, messageOf } from '../../src/core/error-messages.js';
import { errorForCaller, HttpError, NetworkError } from '../../src/core/errors.js';
import { refusedInput } from '../../src/core/refused-input.js';

const notSent = { waitedFor: 'the connection to the service was not open yet', isSentBefore: false };

/** One of each kind; the compiler reports a missing one. */
const facts: { readonly [Kind in MessageFacts['kind']]: readonly Extract<ErrorFacts, { kind: Kind }>[] } = {
  loginRefused: [{ kind: 'loginRefused', status: 401 }],
  notLoggedIn: [{ kind: 'notLoggedIn' }],
  severalSessions: [{ kind: 'severalSessions', count: 2 }],
  notRenewed: [{ kind: 'notRenewed' }],
  tokenRefused: [
    { kind: 'tokenRefused', status: null },
    { kind: 'tokenRefused', status: 401 },
  ],
  sessionEnded: [
    { kind: 'sessionEnded', wasInterrupted: true },
    { kind: 'sessionEnded', wasInterrupted: false },
  ],
  userNotChosen: [
    { kind: 'userNotChosen', users: 0 },
    { kind: 'userNotChosen', users: 3 },
  ],
  fleetNotFound: [
    { kind: 'fleetNotFound', matches: 0, users: 3 },
    { kind: 'fleetNotFound', matches: 2, users: 3 },
  ],
  unreachable: [
    { kind: 'unreachable', reason: 'ECONNREFUSED' },
    { kind: 'unreachable', reason: null },
  ],
  refusedByProxy: [403, 407, 502].map((status) => ({ kind: 'refusedByProxy', reason: `PROXY_${status}`, status })),
  unsendable: [{ kind: 'unsendable', reason: 'ERR_INVALID_URL' }],
  untrusted: [
    { kind: 'untrusted', reason: 'CERT_HAS_EXPIRED' },
    { kind: 'untrusted', reason: null },
  ],
  notHttp: [{ kind: 'notHttp', reason: 'HPE_INVALID_CONSTANT' }],
  connectionLost: [
    { kind: 'connectionLost', reason: 'ECONNRESET', isPlainHttp: false },
    { kind: 'connectionLost', reason: null, isPlainHttp: true },
  ],
  cutAnswer: [{ kind: 'cutAnswer' }],
  exception: [{ kind: 'exception', reason: null }],
  silence: [{ kind: 'silence', reason: 'ATTEMPT_TIMEOUT' }],
  timeRanOut: [
    { kind: 'timeRanOut', limit: 'timeoutMs' },
    { kind: 'timeRanOut', limit: 'signal' },
  ],
  notSentInTime: [
    { kind: 'notSentInTime', ...notSent, limit: 'timeoutMs' },
    { kind: 'notSentInTime', ...notSent, limit: 'signal', isSentBefore: true },
  ],
  status: [204, 302, 400, 403, 404, 407, 413, 500, 503].map((status) => ({ kind: 'status', status })),
  rateLimited: [null, 'process' as const, 'machine' as const, 'custom' as const].map((turns) => ({
    kind: 'rateLimited',
    turns,
  })),
  graphqlErrors: [
    { kind: 'graphqlErrors', count: 1, mayBeDrift: false },
    { kind: 'graphqlErrors', count: 2, mayBeDrift: true },
  ],
  notGraphQL: [{ kind: 'notGraphQL', status: 200 }],
  tooLarge: [{ kind: 'tooLarge', limitBytes: 10 }],
  redirected: [
    { kind: 'redirected', origin: null },
    { kind: 'redirected', origin: 'https://other.test' },
  ],
  nullList: [{ kind: 'nullList' }],
  offContract: (['noMember', 'noList', 'notTrue', 'noJson', 'noUsers', 'noToken'] satisfies OffContract[]).map(
    (what) => ({
      kind: 'offContract',
      what,
    }),
  ),
  unreadable: [{ kind: 'unreadable', values: 'ignition', member: 'ignition.engineStatus', snapshots: 3 }],
  inDoubt: [
    { kind: 'inDoubt', status: null, because: null },
    { kind: 'inDoubt', status: 503, because: { kind: 'status', status: 503 } },
    { kind: 'inDoubt', status: 200, because: { kind: 'notGraphQL', status: 200 } },
    { kind: 'inDoubt', status: null, because: { kind: 'timeRanOut', limit: 'timeoutMs' } },
    { kind: 'inDoubt', status: null, because: { kind: 'timeRanOut', limit: 'signal' } },
    { kind: 'inDoubt', status: 503, because: { kind: 'closed', waitedFor: null, isSentBefore: false } },
    { kind: 'inDoubt', status: null, because: { kind: 'aborted', waitedFor: null, isSentBefore: false } },
    { kind: 'inDoubt', status: null, because: { kind: 'tokenRefused', status: null } },
  ],
  aborted: [
    { kind: 'aborted', waitedFor: null, isSentBefore: false },
    { kind: 'aborted', ...notSent },
  ],
  closed: [
    { kind: 'closed', waitedFor: null, isSentBefore: false },
    { kind: 'closed', ...notSent },
  ],
  queueFull: [{ kind: 'queueFull', waiting: 100, maxWaiting: 100 }],
  refusedInput: [
    { kind: 'refusedInput', problem: 'It is empty.', undone: null },
    { kind: 'refusedInput', problem: 'It is empty.', undone: 'sent' },
  ],
};

const all = Object.values(facts).flat();

describe.each(['getVehicles', 'login'])('for %s', (operation) => {
  test.each(all.map((one) => [JSON.stringify(one), one] as const))('%s', (_name, one) => {
    const message = messageOf(one, { operation, attempts: 2 });
    expect(message).toMatch(/^([A-Z\d]|getVehicles ).*\.$/s);
    expect(message).not.toMatch(/undefined|null|NaN|--|FLEET_/);
    // Any error class will do: the command line uses only the facts.
    const { message: cliMessage, hint } = commandFailureOf(
      new NetworkError(message, { operation, attempts: 2, facts: one }),
      false,
      2_000,
    );
    expect(cliMessage).toMatch(/^([A-Z\d]|getVehicles ).*\.$/s);
    expect(`${cliMessage} ${hint ?? ''}`).not.toMatch(/undefined|NaN/);
    expect(hint === null).toBe(adviceOf(one) === null);
  });
});

test('a proxy that demands a login on the way: the hint says where to put it', () => {
  const { hint } = commandFailureOf(new HttpError('…', 407, { operation: 'getVehicles' }), false);
  expect(hint).toContain('HTTPS_PROXY');
});

test('facts are no property that logs or JSON show, and an error that is told to several callers keeps them', () => {
  const error = refusedInput('The id is empty.', 'getVehicleById');
  expect(error.message).toBe('The id is empty. Nothing was sent.');
  expect(error.facts).toEqual({ kind: 'refusedInput', problem: 'The id is empty.', undone: 'sent' });
  expect(errorForCaller(error).facts).toEqual(error.facts);
  expect(Object.keys(error.toJSON())).not.toContain('facts');
  expect(inspect(error)).not.toContain('undone');
});
