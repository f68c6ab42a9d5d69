// A response whose body is collected while it arrives, for every transport.
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchResponse } from '../core/ports.js';
import { bodyText } from './decompression.js';
import type { HttpRequestInit } from './http-transport.js';
import { DEFAULT_LIMIT, type ResponseLimit, ResponseTooLarge } from './response-limits.js';

/** The compressions that bodyText and the stream decompression can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** What reads from the connection. */
export interface Flow {
  pause(): void;
  resume(): void;
}

export class BufferedResponse implements FetchResponse {
  /** 0 until the response begins. */
  status = 0;
  /** Only `headers.get` is needed, and this object has it. */
  readonly headers = this;
  readonly #onData: HttpRequestInit['onData'];
  readonly #onActivity: HttpRequestInit['onActivity'];
  readonly #limit: ResponseLimit;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #headers: IncomingHttpHeaders = {};
  #error: Error | null = null;
  #flow: Flow | null = null;
  #held: Promise<void> | null = null;

  constructor({ onData, onActivity, limit = DEFAULT_LIMIT }: HttpRequestInit) {
    this.#onData = onData;
    this.#onActivity = onActivity;
    this.#limit = limit;
  }

  /** `flow` is paused while whoever takes the body asks for it. */
  begin(status: number, headers: IncomingHttpHeaders, flow: Flow | null = null): void {
    this.status = status;
    this.#headers = headers;
    this.#flow = flow;
    this.#onActivity?.();
  }

  /** Returns an error when the body is too large already: the response is to be given up. */
  addChunk(chunk: Buffer): ResponseTooLarge | null {
    this.#onActivity?.();
    if (this.#onData && this.ok) {
      this.#hold(this.#onData(chunk, this.get('content-encoding')));
      return null;
    }
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit.maxBytes) return new ResponseTooLarge(this.#limit.maxBytes);
    this.#chunks.push(chunk);
    return null;
  }

  #hold(held: Promise<void> | undefined): void {
    // A connection that is held may still bring what had been read before.
    if (held === undefined || held === this.#held) return;
    this.#held = held;
    this.#flow?.pause();
    void held.then(() => {
      if (this.#held !== held) return;
      this.#held = null;
      this.#flow?.resume();
    });
  }

  /** The rest of the body will not arrive. */
  fail(error: Error): void {
    this.#error ??= error;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  text(): Promise<string> {
    return this.#error
      ? Promise.reject(this.#error)
      : bodyText(this.#chunks, this.get('content-encoding'), this.#limit);
  }

  async json(): Promise<unknown> {
    const value: unknown = JSON.parse(await this.text());
    return value;
  }
}
