// What the conventions of HTTP clients want to know of a request's target.
import type { Attributes } from '@opentelemetry/api';
import type { RequestTrace } from '../core/channels.js';
import { attribute } from './names.js';

/** Of the few addresses of one client. */
export class HttpAttributes {
  readonly #known = new Map<string, Attributes>();

  /** Few values each, so that metrics may have them too. */
  of({ method, url, path }: RequestTrace): Attributes {
    const known = this.#known.get(url);
    if (known) return known;
    const { protocol, hostname, port } = new URL(url);
    const attributes = {
      [attribute.method]: method,
      [attribute.path]: path,
      [attribute.scheme]: protocol.slice(0, -1),
      [attribute.host]: hostname.replace(/^\[(.*)\]$/, '$1'),
      [attribute.port]: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    };
    this.#known.set(url, attributes);
    return attributes;
  }
}
