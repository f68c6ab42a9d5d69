// The service as the CLI calls it with --demo: like `fetch`, but without the fetch API's classes.
// Their first use loads all of undici, which takes longer than the response.
import type { Handle, HandledRequest } from '../core/messages.js';
import { bodyBytes, untilAborted } from './fetch.js';

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
    return toResponse(await untilAborted(Promise.resolve(handle(request)), signal), signal);
  };
}

function toResponse(handled: HandledRequest, signal: AbortSignal): PlainResponse {
  const { status, headers } = handled.response;
  const body = bodyBytes(handled, signal);
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
