// The thin layer: as much of fetch as graphql-request and the login need, straight over undici's pool. The whole fetch API (Request,
// Headers, Response, web streams) is what makes other clients about three times slower on a small call.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { FetchInit, FetchResponse } from '../outside.js';
import type { Stop } from './stop.js';
import { type Exchanged, exchange } from './undici-exchange.js';

/** A request as the thin layer takes it: fetch's own init, and a signal that need not be a whole AbortSignal. */
export interface ThinInit extends Omit<FetchInit, 'signal'> {
  readonly signal?: AbortSignal | Stop;
}

export interface ThinFetch {
  fetch(url: string, init: ThinInit): Promise<FetchResponse>;
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
  '': async (body) => body,
};

/**
 * A fetch over undici. Nothing is loaded before the first request. Sockets are kept alive and used again, the one used last first:
 * as a lane sends one request at a time, it keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured.
 */
export function undiciFetch(env: NodeJS.ProcessEnv = process.env): ThinFetch {
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  const addresses = new Map<string, Address>();
  return {
    async fetch(url, { method, headers, body, signal }) {
      if (!opened) {
        opening ??= namesProxy(env) ? proxied(env) : direct();
        opened = await opening;
      }
      const address = addressOf(url, addresses);
      const { dispatcher, release } = opened.take(address.origin);
      try {
        const answer = await exchange(dispatcher, { ...address, method, headers, body: body ?? null }, signal);
        return new ThinResponse(answer);
      } finally {
        release();
      }
    },
    async close() {
      const connections = await opening?.catch(() => null);
      opening = null;
      opened = null;
      await connections?.destroy();
    },
  };
}

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** A client asks for a handful of addresses, each again and again. */
function addressOf(url: string, known: Map<string, Address>): Address {
  const before = known.get(url);
  if (before) return before;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: `${pathname}${search}` };
  if (known.size < 50) known.set(url, address);
  return address;
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

class ThinResponse implements FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly #answer: Exchanged;

  constructor(answer: Exchanged) {
    this.#answer = answer;
    this.status = answer.status;
    this.ok = answer.status >= 200 && answer.status <= 299;
  }

  get headers(): { get(name: string): string | null } {
    return { get: (name) => this.#header(name.toLowerCase()) };
  }

  async text(): Promise<string> {
    const { error, chunks } = this.#answer;
    if (error !== null) throw error;
    const [only = EMPTY] = chunks;
    let bytes = chunks.length > 1 ? Buffer.concat(chunks) : only;
    const encodings = this.#header('content-encoding');
    // The last encoding named was applied last.
    for (const name of encodings === null ? [] : encodings.split(',').reverse()) {
      const decode = decoders[name.trim().toLowerCase()];
      if (!decode) throw new Error('The answer has a content-encoding that was not asked for.');
      if (bytes.length > 0) bytes = await decode(bytes);
    }
    const text = bytes.toString('utf8');
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    const value: unknown = JSON.parse(await this.text());
    return value;
  }

  #header(name: string): string | null {
    const value = this.#answer.headers[name];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }
}

const EMPTY = Buffer.alloc(0);
/** JSON.parse does not take it. */
const BYTE_ORDER_MARK = '\ufeff';
