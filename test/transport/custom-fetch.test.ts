// A custom fetch: called only when the request may be sent, and read whole or in pieces.
import { describe, expect, test } from 'vitest';
import { AbortFlag } from '../../src/core/deadline.js';
import { customFetchTransport } from '../../src/transport/custom-fetch.js';
import { rejection } from '../request/setup.js';

const post = { method: 'POST', headers: {}, body: '{}' } as const;

describe.each([
  ['whole', {}],
  ['in pieces', { onData: () => undefined }],
  ['without a signal', { signal: undefined }],
])('a body read %s', (_how, more) => {
  function transport() {
    const events: string[] = [];
    const { fetch } = customFetchTransport(async () => {
      events.push('fetch');
      return Response.json({});
    });
    const init = { ...post, ...('signal' in more ? {} : { signal: new AbortFlag() }), ...more };
    const { signal, ...unsignalled } = init;
    return { events, fetch, init: signal ? { ...unsignalled, signal } : unsignalled };
  }

  test('beforeSend is called right before it', async () => {
    const { events, fetch, init } = transport();
    const sending = fetch('http://service.test/', { ...init, beforeSend: () => void events.push('beforeSend') });
    // In the same event-loop turn, with nothing in between.
    expect(events).toEqual(['beforeSend', 'fetch']);
    await sending;
  });

  test('it is not called when beforeSend throws', async () => {
    const { events, fetch, init } = transport();
    const refusal = new Error('the caller is gone');
    const beforeSend = () => {
      throw refusal;
    };
    expect(await rejection(fetch('http://service.test/', { ...init, beforeSend }))).toBe(refusal);
    expect(events).toEqual([]);
  });
});
