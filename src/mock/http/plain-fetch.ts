// The service as the CLI calls it with --demo: like `fetch`, but without the fetch API's classes.
// Their first use loads all of undici, which takes longer than the response.
import type { Handle, HandledRequest, ServiceResponse } from '../core/messages.js';
import { connectionReset, nextBytes, untilAborted } from './fetch.js';

export interface PlainInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlainResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The request stays active until the body is read or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

export type PlainFetch = (url: string, init: PlainInit) => Promise<PlainResponse>;

export function createPlainFetch(handle: Handle): PlainFetch {
  return async (url, { method, headers, body = '', signal = new AbortController().signal }) => {
    signal.throwIfAborted();
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const request = { method, path: new URL(url).pathname, headers: Object.fromEntries(names), body };
    const handled = await untilAborted(Promise.resolve(handle(request)), signal);
    if (handled.connectionFault === 'reset') {
      handled.release();
      throw connectionReset();
    }
    return toResponse(handled, signal);
  };
}

function toResponse(handled: HandledRequest, signal: AbortSignal): PlainResponse {
  const { status, headers } = handled.response;
  const body = bytesOf(handled, signal);
  const text = async () => {
    const decoder = new TextDecoder();
    let whole = '';
    for await (const bytes of body) whole += decoder.decode(bytes, { stream: true });
    return whole + decoder.decode();
  };
  return {
    ok: status >= 200 && status <= 299,
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    body,
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
}

async function* chunksOf(chunks: Iterator<string>, signal: AbortSignal, end: () => void) {
  try {
    const encoder = new TextEncoder();
    for (let text = nextBytes(chunks); text !== null; text = nextBytes(chunks)) {
      signal.throwIfAborted();
      yield encoder.encode(text);
    }
  } finally {
    end();
  }
}

function bytesOf(
  { response, connectionFault, release }: HandledRequest,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (connectionFault === 'truncate') {
    release();
    return halfOf(response.body);
  }
  const chunks = (typeof response.body === 'string' ? [response.body] : response.body)[Symbol.iterator]();
  const end = () => {
    signal.removeEventListener('abort', end);
    chunks.return?.(undefined);
    release();
  };
  signal.addEventListener('abort', end, { once: true });
  return chunksOf(chunks, signal, end);
}

async function* halfOf(body: ServiceResponse['body']) {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : [...body].join(''));
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw connectionReset();
}
