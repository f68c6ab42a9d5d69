// The answer of the thin layer while it arrives and afterwards, whoever carries it.
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchResponse } from '../core/ports.js';
import { bodyText } from './decompression.js';
import type { HttpRequestInit } from './http-transport.js';

/** What bodyText and row decoders can undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

export class BufferedResponse implements FetchResponse {
  /** 0 until the answer begins. */
  status = 0;
  /** Responses read their headers by `headers.get`; it is all there is to them. */
  readonly headers = this;
  readonly #onData: HttpRequestInit['onData'];
  readonly #chunks: Buffer[] = [];
  #fields: IncomingHttpHeaders = {};
  #error: Error | null = null;

  constructor(onData: HttpRequestInit['onData']) {
    this.#onData = onData;
  }

  begin(status: number, fields: IncomingHttpHeaders): void {
    this.status = status;
    this.#fields = fields;
  }

  take(chunk: Buffer): void {
    if (this.#onData && this.ok) this.#onData(chunk, this.get('content-encoding'));
    else this.#chunks.push(chunk);
  }

  /** The rest of the body will not come. */
  breakOff(error: Error): void {
    this.#error ??= error;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()];
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
