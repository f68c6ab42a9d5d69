// The transport over node:http and node:https, for processes that end after a few requests: loading undici would take longer than the
// requests themselves.
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import { CONNECT_TIMEOUT_MS, IDLE_SOCKET_MS } from '../core/defaults.js';
import type { FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import { type HttpRequestInit, type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';

/** How requests of one URL scheme are made, and their sockets. */
interface Scheme {
  readonly agent: Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  /** The event of a new socket that may be written to. */
  readonly readyEvent: 'connect' | 'secureConnect';
}

/**
 * Loads nothing before the first request, and TLS only when it is needed. Sockets are kept alive and reused, the one used last first;
 * idle ones do not keep the process alive. Proxies are not supported.
 */
export function nodeTransport(tls: TlsSettings = {}): HttpTransport {
  const schemes = new Map<string, Promise<Scheme>>();
  return {
    async fetch(url, init) {
      const address = new URL(url);
      const scheme = schemes.get(address.protocol) ?? load(address.protocol, tls);
      schemes.set(address.protocol, scheme);
      return nodeRequest(await scheme, address, init);
    },
    async close() {
      const loaded = [...schemes.values()];
      schemes.clear();
      for (const { agent } of await Promise.all(loaded)) agent.destroy();
    },
  };
}

async function load(protocol: string, tls: TlsSettings): Promise<Scheme> {
  const options = { keepAlive: true, timeout: IDLE_SOCKET_MS };
  if (protocol !== 'https:') {
    const { Agent, request } = await import('node:http');
    return { agent: new Agent(options), request, readyEvent: 'connect' };
  }
  const { Agent, request } = await import('node:https');
  return { agent: new Agent({ ...options, ...trustOptions(tls) }), request, readyEvent: 'secureConnect' };
}

function nodeRequest({ agent, request, readyEvent }: Scheme, url: URL, init: HttpRequestInit): Promise<FetchResponse> {
  const { method, headers, body, signal, onData, beforeSend } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const response = new BufferedResponse(onData);
    const outgoing = request(url, { method, headers: { 'accept-encoding': ACCEPT_ENCODING, ...headers }, agent });
    const abort = () => {
      reject(signal?.reason);
      outgoing.destroy();
    };
    signal?.addEventListener('abort', abort);
    // Only when the connection is open: earlier writes are queued, and are sent whatever has happened since.
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
      const timer = setTimeout(() => outgoing.destroy(connectTimeout()), CONNECT_TIMEOUT_MS);
      const stop = () => clearTimeout(timer);
      socket.once(readyEvent, stop).once(readyEvent, send).once('close', stop);
    });
    outgoing.on('response', (incoming) => {
      response.begin(incoming.statusCode ?? 0, incoming.headers);
      incoming.on('data', (chunk: Buffer) => response.addChunk(chunk));
      incoming.on('error', (error) => response.fail(error));
      incoming.on('close', () => resolve(response));
    });
    outgoing.on('error', (error) => {
      if (response.status === 0) reject(error);
      else response.fail(error);
    });
    outgoing.on('close', () => signal?.removeEventListener('abort', abort));
  });
}

/** In the form of the system's own timeout, which takes minutes. */
function connectTimeout(): Error {
  return Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
}
