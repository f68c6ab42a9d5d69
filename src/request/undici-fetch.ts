// The thin layer: as much of fetch as graphql-request and the login need, straight over undici's pool. The whole fetch API (Request,
// Headers, Response, web streams) is what makes other clients about three times slower on a small call.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Fetch, FetchResponse } from '../outside.js';

export interface ThinFetch {
  readonly fetch: Fetch;
  /** Closes the sockets that are kept alive; requests on the wire are given up. */
  close(): Promise<void>;
}

const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, Buffer>(gunzip),
  br: promisify<Buffer, Buffer>(brotliDecompress),
  // Some servers send deflate with zlib's wrapping, as the standard says, and some without.
  deflate: (body) => promisify<Buffer, Buffer>((body.readUInt8(0) & 0x0f) === 8 ? inflate : inflateRaw)(body),
  identity: async (body) => body,
};

/**
 * A fetch over undici. Nothing is loaded before the first request. Sockets are kept alive and used again, the one used last first:
 * as a lane sends one request at a time, it keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured.
 */
export function undiciFetch(env: NodeJS.ProcessEnv = process.env): ThinFetch {
  let connections: Promise<Connections> | null = null;
  return {
    async fetch(url, { method, headers, body, signal }) {
      connections ??= namesProxy(env) ? proxied(env) : direct();
      const { origin, pathname, search } = new URL(url);
      const { dispatcher, release } = (await connections).take(origin);
      try {
        const answer = await dispatcher.request({
          origin,
          path: `${pathname}${search}`,
          method,
          headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
          body: body ?? null,
          ...(signal ? { signal } : {}),
          // Deadlines are the caller's: a slow answer within them is no failure.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        return thinResponse(answer, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      const opened = await connections?.catch(() => null);
      connections = null;
      await opened?.destroy();
    },
  };
}

/** Who carries a request: taken before it, released when its answer has been read. */
interface Connections {
  take(origin: string): { readonly dispatcher: Dispatcher; readonly release: () => void };
  destroy(): Promise<void>;
}

/**
 * One undici client, that is one socket, for each request that is under way at a time. undici's own pool would open a second socket for
 * requests that follow each other closely, because it takes a client for busy until a moment after its answer.
 */
async function direct(): Promise<Connections> {
  const { Client } = await import('undici');
  const all: Dispatcher[] = [];
  const idle = new Map<string, Dispatcher[]>();
  return {
    take(origin) {
      const resting = idle.get(origin) ?? [];
      idle.set(origin, resting);
      let dispatcher = resting.pop();
      if (!dispatcher) {
        dispatcher = new Client(origin);
        all.push(dispatcher);
      }
      const taken = dispatcher;
      let released = false;
      const release = () => {
        if (!released) resting.push(taken);
        released = true;
      };
      return { dispatcher, release };
    },
    async destroy() {
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

async function proxied(env: NodeJS.ProcessEnv): Promise<Connections> {
  const { EnvHttpProxyAgent } = await import('undici');
  const { httpProxy, httpsProxy, noProxy } = proxySettings(env);
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    ...(noProxy ? { noProxy } : {}),
  });
  return { take: () => ({ dispatcher, release: () => undefined }), destroy: () => dispatcher.destroy() };
}

function namesProxy(env: NodeJS.ProcessEnv): boolean {
  const { httpProxy, httpsProxy } = proxySettings(env);
  return Boolean(httpProxy || httpsProxy);
}

function proxySettings(env: NodeJS.ProcessEnv) {
  const read = (name: string) => env[name] || env[name.toUpperCase()];
  return { httpProxy: read('http_proxy'), httpsProxy: read('https_proxy'), noProxy: read('no_proxy') };
}

function thinResponse(answer: Dispatcher.ResponseData, release: () => void): FetchResponse {
  const header = (name: string): string | null => {
    const value = answer.headers[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  };
  // Also when nobody reads it: an abort destroys it.
  answer.body.once('close', release);
  const read = async <T>(body: Promise<T>): Promise<T> => {
    try {
      return await body;
    } finally {
      release();
    }
  };
  const text = async (): Promise<string> => {
    const encodings = (header('content-encoding') ?? '').split(',').map((name) => name.trim().toLowerCase());
    if (encodings.every((name) => name === '' || name === 'identity')) return read(answer.body.text());
    let bytes: Buffer = Buffer.from(await read(answer.body.arrayBuffer()));
    // The last encoding named was applied last.
    for (const name of encodings.reverse()) {
      const decode = decoders[name];
      if (!decode) throw new Error('The answer has a content-encoding that was not asked for.');
      if (bytes.length > 0) bytes = await decode(bytes);
    }
    return bytes.toString('utf8');
  };
  return {
    ok: answer.statusCode >= 200 && answer.statusCode <= 299,
    status: answer.statusCode,
    headers: { get: header },
    text,
    async json() {
      const value: unknown = JSON.parse(await text());
      return value;
    },
  };
}
