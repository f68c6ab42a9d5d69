// Sends one GraphQL request and reads its response. Whatever goes wrong is returned as a failure; nothing that a fetch throws leaves this
// module but as the cause of one.
import type { AbortFlag } from '../core/abort-flag.js';
import { classificationOf } from '../core/errors.js';
import { failureOf, isTruncatedJson, type TransportOutcome } from './failure.js';
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
  /** Sends once. Never rejects. */
  send(request: GraphQLTransportRequest): Promise<TransportOutcome<GraphQLAnswer>>;
}

/** Requests to `{baseUrl}/graphql`. */
export function graphqlTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  clock: ServiceClock,
): GraphQLTransport {
  const endpoint = `${baseUrl}/graphql`;
  return {
    async send({ document, variables, headers, signal, beforeSend }) {
      let status: number | null = null;
      const post: Post = async (url, headers, body) => {
        let sentAt = 0;
        const onSend = () => {
          beforeSend();
          sentAt = clock.localNow();
        };
        const response = await http.fetch(url, { method: 'POST', headers, body, signal, beforeSend: onSend });
        status = response.status;
        clock.observe(response, sentAt);
        return response;
      };
      try {
        return outcomeOf(await codec({ url: endpoint, headers, document, variables }, post));
      } catch (error) {
        // A status shows that the request arrived: only a part of the response is missing.
        return { failure: status === null ? failureOf(error) : { kind: 'truncated' }, status, text: null };
      }
    },
  };
}

function outcomeOf({ status, retryAfter, text, answer }: GraphQLReply): TransportOutcome<GraphQLAnswer> {
  if (status < 200 || status > 299) {
    return { failure: { kind: 'status', status, retryAfter, errors: answer?.errors ?? [] }, status, text };
  }
  if (answer === null) {
    return { failure: isTruncatedJson(text) ? { kind: 'truncated' } : { kind: 'malformed', status }, status, text };
  }
  const { errors, data } = answer;
  // Some services refuse a token with a GraphQL error. With data beside it only a field was refused, and a new token changes nothing.
  if (errors.length > 0 && isEmpty(data) && errors.some((error) => classificationOf(error) === 'UNAUTHORIZED')) {
    return { failure: { kind: 'unauthorized', errors, data }, status, text };
  }
  return { value: answer, status, text };
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}
