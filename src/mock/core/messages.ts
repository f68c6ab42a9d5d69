// Requests and responses inside the service, converted by `fetch` and `listen`. They are plain
// objects: the fetch API's classes cost several times as much as a small query.
import type { Classification } from './refusals.js';

export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path only, such as `/graphql`. */
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | string;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or lazily created chunks, so that a year of snapshots is never one string. */
  readonly body: string | Iterable<string>;
}

/** The connection failure that a planned fault causes while the response is sent. */
export type ConnectionFault = 'reset' | 'truncate';

export interface HandledRequest {
  readonly response: ServiceResponse;
  readonly connectionFault: ConnectionFault | null;
  /** Ends the user's active request. Call it once, after sending or when the connection is lost. */
  readonly release: () => void;
}

/** Answers a request, synchronously unless it must wait. The request is active during `pause`. */
export type Handle = (request: ServiceRequest, pause?: () => Promise<void>) => HandledRequest | Promise<HandledRequest>;

export function decodeBody(body: string | Uint8Array): string {
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

export function withDate(response: ServiceResponse, now: number): ServiceResponse {
  return { ...response, headers: { ...response.headers, date: new Date(now).toUTCString() } };
}

export function emptyResponse(status: number): ServiceResponse {
  return { status, headers: {}, body: '' };
}

export function htmlResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}

/** Returns a response in graphql-java's shape with one error and no data. */
export function errorResponse(
  status: number,
  classification: Classification,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return jsonMessage(status, { errors: [{ message, extensions: { classification } }] }, headers);
}

export const maxBodyBytes = 8 * 1024 * 1024;

export function bodyTooLarge(): ServiceResponse {
  return errorResponse(413, 'BAD_REQUEST', `The body is larger than ${maxBodyBytes} bytes.`);
}

export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase();
}
