// Requests and responses inside the service. They are plain objects because the classes of the fetch API cost several times as
// much as answering a small query. `fetch` and `listen` convert them.
import type { Classification } from './refusals.js';

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
  /** Text, or chunks of text that are made while they are read, so that a year of snapshots is never one string. */
  readonly body: string | Iterable<string>;
}

/** How a planned fault breaks the connection while the response is sent. */
export type ConnectionFault = 'reset' | 'truncate';

/** A response that is ready to be sent. */
export interface HandledRequest {
  readonly response: ServiceResponse;
  readonly connectionFault: ConnectionFault | null;
  /** Ends the user's active request. Call it once, when the response has been sent or can no longer be sent. */
  readonly release: () => void;
}

/**
 * Answers a request. Returns a promise only when it has to wait. With `pause`, a GraphQL request that would be answered at once is
 * active during the pause first.
 */
export type Handle = (request: ServiceRequest, pause?: () => Promise<void>) => HandledRequest | Promise<HandledRequest>;

export function bodyText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

export function jsonMessage(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** Adds the service's time as the Date header. */
export function withDate(response: ServiceResponse, now: number): ServiceResponse {
  return { ...response, headers: { ...response.headers, date: new Date(now).toUTCString() } };
}

export function emptyResponse(status: number): ServiceResponse {
  return { status, headers: {}, body: '' };
}

export function html(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}

/** A response in graphql-java's shape that holds one error and no data. */
export function errorResponse(
  status: number,
  classification: Classification,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return jsonMessage(status, { errors: [{ message, extensions: { classification } }] }, headers);
}

/** The request body limit of the service. */
export const maxBodyBytes = 8 * 1024 * 1024;

export function bodyTooLarge(): ServiceResponse {
  return errorResponse(413, 'BAD_REQUEST', `The body is larger than ${maxBodyBytes} bytes.`);
}

/** The media type of a Content-Type header, without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase();
}
