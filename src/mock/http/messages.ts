// The shapes that requests and answers have inside the service. Plain objects, not the fetch API's classes: those cost
// several times as much as answering a small query does. `fetch` and `listen` translate at the edge.

export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path without host and query, such as `/graphql`. */
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | string;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or pieces of text made while they are read: a year of snapshots is never held as one string. */
  readonly body: string | Iterable<string>;
}

/** How a planned fault spoils an answer on its way out. */
export type Spoil = 'reset' | 'truncate';

/** An answer on its way out, and who must be told when it has left. */
export interface Exchange {
  readonly response: ServiceResponse;
  readonly spoil: Spoil | null;
  /** To be called once: when the answer has been handed over whole, or can no longer be. */
  readonly done: () => void;
}

/** Answers one request. Gives a plain value, not a promise, when nothing has to be waited for. */
export type Handler = (request: ServiceRequest) => Exchange | Promise<Exchange>;

export function text(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** The answer with what time the service has. */
export function dated(response: ServiceResponse, now: number): ServiceResponse {
  return { ...response, headers: { ...response.headers, date: new Date(now).toUTCString() } };
}

export function empty(status: number): ServiceResponse {
  return { status, headers: {}, body: '' };
}

export function html(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}

/** The media type of a content-type header, without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase();
}
