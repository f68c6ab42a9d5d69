// Sends one GraphQL request and reads its response. Whatever goes wrong is returned as a failure; nothing that a fetch throws leaves this
// module but as the cause of one.
import type { AbortFlag } from '../core/abort-flag.js';
import { isTokenError, refusesToken } from '../core/token-refusal.js';
import { failureOf, isTruncatedJson, type TransportOutcome } from './failure.js';
import type { GraphQLCodec, GraphQLReply, Post } from './graphql-codec.js';
import type { GraphQLAnswer } from './graphql-response.js';
import type { HttpTransport } from './http-transport.js';
import { responseIdOf } from './response-id.js';
import { retryAfterOf } from './retry-after.js';
import type { ServiceClock } from './service-clock.js';

export interface GraphQLTransportRequest {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortFlag;
  /** As of `HttpRequestInit`. */
  readonly beforeSend: () => void;
  /** As of `HttpRequestInit`. */
  readonly attemptTimeoutMs?: number | undefined;
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
    async send({ document, variables, headers, signal, beforeSend, attemptTimeoutMs }) {
      let status: number | null = null;
      let responseId: string | null = null;
      let challenge: string | null = null;
      let retryAfter: string | null = null;
      const post: Post = async (url, headers, body) => {
        let sentAt = 0;
        const onSend = () => {
          beforeSend();
          sentAt = clock.localNow();
        };
        const response = await http.fetch(url, {
          method: 'POST',
          headers,
          body,
          signal,
          beforeSend: onSend,
          attemptTimeoutMs,
        });
        status = response.status;
        responseId = responseIdOf(response);
        challenge = response.headers.get('www-authenticate');
        retryAfter = response.ok ? null : retryAfterOf(response);
        clock.observe(response, sentAt);
        return response;
      };
      try {
        const reply = await codec({ url: endpoint, headers, document, variables }, post);
        return outcomeOf(reply, { retryAfter, challenge, responseId });
      } catch (error) {
        return { failure: failureOf(error, status), status, text: null, responseId };
      }
    },
  };
}

/** What headers say. */
interface Heard {
  readonly retryAfter: string | null;
  readonly challenge: string | null;
  readonly responseId: string | null;
}

function outcomeOf(
  { status, text, answer }: GraphQLReply,
  { retryAfter, challenge, responseId }: Heard,
): TransportOutcome<GraphQLAnswer> {
  if (status < 200 || status > 299) {
    if (status === 403 && isTokenError(challenge, text)) {
      return { failure: { kind: 'unauthorized', errors: answer?.errors ?? [], data: null }, status, text, responseId };
    }
    return { failure: { kind: 'status', status, retryAfter, errors: answer?.errors ?? [] }, status, text, responseId };
  }
  if (answer === null) {
    return {
      failure: isTruncatedJson(text) ? { kind: 'truncated' } : { kind: 'malformed', status },
      status,
      text,
      responseId,
    };
  }
  const { errors, data } = answer;
  // Some services refuse a token with a GraphQL error. With data beside it only a field was refused, and a new token changes nothing.
  if (errors.length > 0 && isEmpty(data) && errors.some(refusesToken)) {
    return { failure: { kind: 'unauthorized', errors, data }, status, text, responseId };
  }
  return { value: answer, status, text, responseId };
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}
