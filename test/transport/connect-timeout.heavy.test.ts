// The connect timeout, with a server that accepts TCP and never answers the TLS handshake.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../src/request/failure.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';

/** undici's own timers tick twice a second, and a tick late. */
const TICK_MS = 1_000;

let server: Server;
let port: number;
let accepted: Promise<Socket>;
const sockets: Socket[] = [];

beforeEach(async () => {
  accepted = new Promise((resolve) => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  port = address.port;
});

afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

describe.each([
  ['undici', () => undiciTransport({})],
  ['node', () => nodeTransport()],
])('%s: a connection that does not open', (_, open) => {
  test('counts as unreachable after ten seconds, and nothing was sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const transport = open();
    let sent = 0;
    let failed: unknown = null;
    const request = transport
      .fetch(`https://127.0.0.1:${port}/graphql`, { method: 'POST', headers: {}, body: '{}', beforeSend: () => sent++ })
      .catch((error: unknown) => {
        failed = error;
      });
    await accepted;
    await vi.advanceTimersByTimeAsync(10_000 - TICK_MS);
    expect(failed).toBeNull();
    await vi.advanceTimersByTimeAsync(3 * TICK_MS);
    await request;
    expect(failureOf(failed)).toMatchObject({ kind: 'unreachable', retryable: true });
    expect(sent).toBe(0);
    await transport.close();
  });
});
