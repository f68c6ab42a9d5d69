// One document out, one answer back, over a fetch that is handed in. Nothing that a fetch throws leaves this module but as the cause
// of a failure.

import type { AbortFlag } from '../core/abort-flag.js';
import { classificationOf } from '../core/errors.js';
import { failureOf, isCutJson, type TransportOutcome } from './failure.js';
import type { GraphQLCodec, GraphQLReply, Post } from './graphql-codec.js';
import type { GraphQLAnswer } from './graphql-response.js';
import type { HttpTransport } from './http-transport.js';
import type { ServiceClock } from './service-clock.js';

export interface GraphQLTransportRequest {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortFlag;
  /** As of `HttpRequestInit`. */
  readonly beforeSend: () => void;
}

export interface GraphQLTransport {
  /** Sends once. Never rejects: what goes wrong is a failure. */
  send(request: GraphQLTransportRequest): Promise<TransportOutcome<GraphQLAnswer>>;
}

/** The wire to `{baseUrl}/graphql`. */
export function graphqlTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  time: ServiceClock,
): GraphQLTransport {
  const endpoint = `${baseUrl}/graphql`;
  return {
    async send({ document, variables, headers, signal, beforeSend }) {
      let status: number | null = null;
      const post: Post = async (url, headers, body) => {
        let leftAt = 0;
        const leave = () => {
          beforeSend();
          leftAt = time.leaving();
        };
        const response = await http.fetch(url, { method: 'POST', headers, body, signal, beforeSend: leave });
        status = response.status;
        time.hear(response, leftAt);
        return response;
      };
      try {
        return outcomeOf(await codec({ url: endpoint, headers, document, variables }, post));
      } catch (error) {
        // Once there was a status the request had arrived: only the answer is missing.
        return { failure: status === null ? failureOf(error) : { what: 'cut' }, status, text: null };
      }
    },
  };
}

function outcomeOf({ status, retryAfter, text, answer }: GraphQLReply): TransportOutcome<GraphQLAnswer> {
  if (status < 200 || status > 299) {
    return { failure: { what: 'status', status, retryAfter, errors: answer?.errors ?? [] }, status, text };
  }
  if (answer === null) {
    return { failure: isCutJson(text) ? { what: 'cut' } : { what: 'garbled', status }, status, text };
  }
  const { errors, data } = answer;
  // A refused token in the words of GraphQL; with data beside it, it is the refusal of a field, and a new token changes nothing.
  if (errors.length > 0 && isEmpty(data) && errors.some((error) => classificationOf(error) === 'UNAUTHORIZED')) {
    return { failure: { what: 'unauthorized', errors, data }, status, text };
  }
  return { value: answer, status, text };
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}
