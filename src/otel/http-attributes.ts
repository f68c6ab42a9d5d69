// The attributes of a request's target, by the conventions for HTTP clients.
import type { Attributes } from '@opentelemetry/api';
import type { RequestTrace } from '../core/channels.js';
import { attribute } from './names.js';

/** Cached by URL: a client has few addresses. */
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
