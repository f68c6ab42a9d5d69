// The transport over node:http and node:https, for short-lived processes: loading undici would take
// longer than their few requests.
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { Clock, FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import {
  CONNECT_TIMEOUT_MS,
  connectTimeoutError,
  type HttpRequestInit,
  type HttpTransport,
  IDLE_SOCKET_MS,
  TCP_KEEP_ALIVE_MS,
  type TlsSettings,
  trustOptions,
} from './http-transport.js';

interface Scheme {
  readonly agent: Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly readyEvent: 'connect' | 'secureConnect';
  readonly closeStale: () => void;
}

/**
 * Returns the transport. It loads nothing before the first request, and TLS only when needed.
 * Proxies are not supported. Sockets are kept alive and reused, the latest first; idle ones do not
 * keep the process alive.
 */
export function nodeTransport(tls: TlsSettings = {}, clock: Clock = Date): HttpTransport {
  const schemes = new Map<string, Promise<Scheme>>();
  const prepared = new Set<string>();
  const schemeOf = async ({ protocol }: URL) => {
    const scheme = schemes.get(protocol) ?? load(protocol, tls, clock);
    schemes.set(protocol, scheme);
    return scheme;
  };
  return {
    prepare(url) {
      if (prepared.has(url)) return null;
      prepared.add(url);
      return schemeOf(new URL(url));
    },
    async fetch(url, init) {
      const address = new URL(url);
      const loaded = await schemeOf(address);
      loaded.closeStale();
      return nodeRequest(loaded, address, init);
    },
    async close() {
      const loaded = [...schemes.values()];
      schemes.clear();
      for (const { agent } of await Promise.all(loaded)) agent.destroy();
    },
  };
}

async function load(protocol: string, tls: TlsSettings, clock: Clock): Promise<Scheme> {
  const options = { keepAlive: true, keepAliveMsecs: TCP_KEEP_ALIVE_MS, timeout: IDLE_SOCKET_MS };
  if (protocol !== 'https:') {
    const { Agent, request } = await import('node:http');
    const agent = new Agent(options);
    return { agent, request, readyEvent: 'connect', closeStale: staleCloser(agent, clock) };
  }
  const { Agent, request } = await import('node:https');
  const agent = new Agent({ ...options, ...trustOptions(tls) });
  return { agent, request, readyEvent: 'secureConnect', closeStale: staleCloser(agent, clock) };
}

/** The agent's own timers stop while the machine sleeps. */
function staleCloser(agent: Agent, clock: Clock): () => void {
  const freeSince = new WeakMap<object, number>();
  agent.on('free', (socket) => freeSince.set(socket, clock.now()));
  return () => {
    const now = clock.now();
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      const idleMs = now - (freeSince.get(socket) ?? now);
      if (idleMs < 0 || idleMs > IDLE_SOCKET_MS) socket.destroy();
    }
  };
}

function nodeRequest({ agent, request, readyEvent }: Scheme, url: URL, init: HttpRequestInit): Promise<FetchResponse> {
  const { method, headers, body, signal, beforeSend } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const response = new BufferedResponse(init);
    const outgoing = request(url, { method, headers: { 'accept-encoding': ACCEPT_ENCODING, ...headers }, agent });
    const abort = () => {
      reject(signal?.reason);
      outgoing.destroy();
    };
    signal?.addEventListener('abort', abort);
    // Only when the connection is open: earlier writes are queued and cannot be cancelled.
    const send = () => {
      try {
        beforeSend?.();
      } catch (error) {
        reject(error);
        outgoing.destroy();
        return;
      }
      outgoing.end(body);
    };
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return send();
      const timer = setTimeout(() => outgoing.destroy(connectTimeoutError()), CONNECT_TIMEOUT_MS);
      const stop = () => clearTimeout(timer);
      socket.once(readyEvent, stop).once(readyEvent, send).once('close', stop);
    });
    outgoing.on('response', (incoming) => {
      response.begin(incoming.statusCode ?? 0, incoming.headers, incoming);
      incoming.on('data', (chunk: Buffer) => {
        const excess = response.addChunk(chunk);
        if (!excess) return;
        reject(excess);
        outgoing.destroy();
      });
      incoming.on('error', (error) => response.fail(error));
      incoming.on('close', () => resolve(response));
    });
    // An answer that upgrades the protocol has no body; Node hands over the connection instead.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy();
      response.begin(incoming.statusCode ?? 0, incoming.headers);
      resolve(response);
    });
    outgoing.on('error', (error) => {
      if (response.status === 0) reject(error);
      else response.fail(error);
    });
    outgoing.on('close', () => {
      signal?.removeEventListener('abort', abort);
      // Otherwise the promise would never settle.
      if (response.status === 0) reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    });
  });
}
