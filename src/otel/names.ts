// The names of attributes and metrics. They follow OpenTelemetry's semantic conventions (HTTP
// client: stable; url.template and GraphQL: in development). All other names begin with `fleet.`.
import type { Attributes } from '@opentelemetry/api';
import type { RequestTrace } from '../core/channels.js';
import type { CallEvent } from '../core/hooks.js';
import type { EndedRequest } from './traced-clients.js';

export const attribute = {
  method: 'http.request.method',
  resendCount: 'http.request.resend_count',
  status: 'http.response.status_code',
  url: 'url.full',
  scheme: 'url.scheme',
  path: 'url.template',
  host: 'server.address',
  port: 'server.port',
  errorType: 'error.type',
  operation: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  label: 'fleet.label',
  user: 'fleet.user',
  callId: 'fleet.call.id',
  priority: 'fleet.call.priority',
  outcome: 'fleet.call.outcome',
  wait: 'fleet.call.wait',
  requestIds: 'fleet.call.request_ids',
  requestId: 'fleet.request.id',
  operations: 'fleet.request.operations',
  calls: 'fleet.request.calls',
  responseId: 'fleet.response.id',
  responseSize: 'fleet.response.size',
  retryPause: 'fleet.retry.pause',
} as const;

export const metric = {
  httpDuration: 'http.client.request.duration',
  callDuration: 'fleet.call.duration',
  callWait: 'fleet.call.wait',
  callsWaiting: 'fleet.calls.waiting',
  requestCalls: 'fleet.request.calls',
  responseSize: 'fleet.response.size',
  retries: 'fleet.retries',
} as const;

export const RETRY_EVENT = 'fleet.retry';

/** Returns `error.type` of a call; null without one. By convention a cancellation is no error. */
export function errorOfCall({ outcome }: CallEvent): string | null {
  return outcome === 'ok' || outcome === 'ABORTED' ? null : outcome;
}

/**
 * Returns `error.type` of a request; null without an error. An error status comes first. The
 * message of `error` is a code, such as `ECONNRESET`.
 */
export function errorOfRequest({ status, error }: EndedRequest): string | null {
  if (status !== null && status >= 400) return String(status);
  return error === undefined || error.message === 'ABORTED' ? null : error.message;
}

export function errorAttributes(error: string | null): Attributes {
  return error === null ? {} : { [attribute.errorType]: error };
}

/** The attributes of a request's target. Cached by URL: a client has few addresses. */
export class HttpAttributes {
  readonly #cache = new Map<string, Attributes>();

  /** Returns attributes of low cardinality, which metrics may have too. */
  of({ method, url, path }: RequestTrace): Attributes {
    const cached = this.#cache.get(url);
    if (cached) return cached;
    const { protocol, hostname, port } = new URL(url);
    const attributes = {
      [attribute.method]: method,
      [attribute.path]: path,
      [attribute.scheme]: protocol.slice(0, -1),
      [attribute.host]: hostname.replace(/^\[(.*)\]$/, '$1'),
      [attribute.port]: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    };
    this.#cache.set(url, attributes);
    return attributes;
  }
}
