// A response whose body is collected while it arrives, for every transport.
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchResponse } from '../core/ports.js';
import { bodyText } from './decompression.js';
import type { HttpRequestInit } from './http-transport.js';

/** The compressions that bodyText and the stream decompression can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

export class BufferedResponse implements FetchResponse {
  /** 0 until the response begins. */
  status = 0;
  /** Only `headers.get` is needed, and this object has it. */
  readonly headers = this;
  readonly #onData: HttpRequestInit['onData'];
  readonly #chunks: Buffer[] = [];
  #headers: IncomingHttpHeaders = {};
  #error: Error | null = null;

  constructor(onData: HttpRequestInit['onData']) {
    this.#onData = onData;
  }

  begin(status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.#headers = headers;
  }

  addChunk(chunk: Buffer): void {
    if (this.#onData && this.ok) this.#onData(chunk, this.get('content-encoding'));
    else this.#chunks.push(chunk);
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
    return this.#error ? Promise.reject(this.#error) : bodyText(this.#chunks, this.get('content-encoding'));
  }

  async json(): Promise<unknown> {
    const value: unknown = JSON.parse(await this.text());
    return value;
  }
}
