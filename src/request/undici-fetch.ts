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
 * A fetch over undici. Nothing is loaded before the first request. Sockets are kept alive and used again; as a lane sends one
 * request at a time, it keeps one socket busy. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured.
 */
export function undiciFetch(env: NodeJS.ProcessEnv = process.env): ThinFetch {
  let dispatcher: Promise<Dispatcher> | null = null;
  return {
    async fetch(url, { method, headers, body, signal }) {
      dispatcher ??= makeDispatcher(env);
      const { origin, pathname, search } = new URL(url);
      const answer = await (await dispatcher).request({
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
      return thinResponse(answer);
    },
    async close() {
      const opened = await dispatcher?.catch(() => null);
      dispatcher = null;
      await opened?.destroy();
    },
  };
}

async function makeDispatcher(env: NodeJS.ProcessEnv): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const read = (name: string) => env[name] ?? env[name.toUpperCase()];
  const httpProxy = read('http_proxy');
  const httpsProxy = read('https_proxy');
  if (!httpProxy && !httpsProxy) return new Agent();
  const noProxy = read('no_proxy');
  return new EnvHttpProxyAgent({
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    ...(noProxy ? { noProxy } : {}),
  });
}

function thinResponse(answer: Dispatcher.ResponseData): FetchResponse {
  const header = (name: string): string | null => {
    const value = answer.headers[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  };
  const text = async (): Promise<string> => {
    const encodings = (header('content-encoding') ?? '').split(',').map((name) => name.trim().toLowerCase());
    if (encodings.every((name) => name === '' || name === 'identity')) return answer.body.text();
    let bytes: Buffer = Buffer.from(await answer.body.arrayBuffer());
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
