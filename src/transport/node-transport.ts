// The thin layer over node:http and node:https, for processes that end after a few requests: loading undici would take longer than
// the requests themselves.
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import {
  CONNECT_TIMEOUT_MS,
  type HttpRequestInit,
  type HttpTransport,
  type TlsSettings,
  trustOptions,
} from './http-transport.js';

/** How long a socket may rest before it is closed, unless the server announces less: one it may be about to close is not used. */
const RESTING_MS = 4000;

/** One scheme's part: how a request is made, and the sockets that are kept alive. */
interface Scheme {
  readonly agent: Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  /** When a new socket is ready for a request. */
  readonly readyEvent: 'connect' | 'secureConnect';
}

/**
 * A fetch over node:http and node:https. Nothing is loaded before the first request, and TLS not before it is needed. Sockets are
 * kept alive and used again, the one used last first; resting ones do not keep the process alive. Knows nothing of proxies.
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
  const options = { keepAlive: true, timeout: RESTING_MS };
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
    const answer = new BufferedResponse(onData);
    const sent = request(url, { method, headers: { 'accept-encoding': ACCEPT_ENCODING, ...headers }, agent });
    const abort = () => {
      reject(signal?.reason);
      sent.destroy();
    };
    signal?.addEventListener('abort', abort);
    // Not before the connection is open: what is written earlier is queued, and leaves whatever has happened since.
    const send = () => {
      try {
        beforeSend?.();
      } catch (error) {
        reject(error);
        sent.destroy();
        return;
      }
      sent.end(body);
    };
    sent.on('socket', (socket) => {
      if (!socket.connecting) return send();
      const timer = setTimeout(() => sent.destroy(connectTimeout()), CONNECT_TIMEOUT_MS);
      const stop = () => clearTimeout(timer);
      socket.once(readyEvent, stop).once(readyEvent, send).once('close', stop);
    });
    sent.on('response', (incoming) => {
      answer.begin(incoming.statusCode ?? 0, incoming.headers);
      incoming.on('data', (chunk: Buffer) => answer.take(chunk));
      incoming.on('error', (error) => answer.breakOff(error));
      incoming.on('close', () => resolve(answer));
    });
    sent.on('error', (error) => {
      if (answer.status === 0) reject(error);
      else answer.breakOff(error);
    });
    sent.on('close', () => signal?.removeEventListener('abort', abort));
  });
}

/** In the form of the system's own, which takes minutes to come. */
function connectTimeout(): Error {
  return Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
}
