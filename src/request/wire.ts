// graphql-request over a fetch that is handed in: one document out, one answer back. graphql-request's own errors hold
// variables and bodies in their messages, so none of them leaves this module: what happened is noted beside it.
import { GraphQLClient } from 'graphql-request';
import type { GraphQLErrorEntry } from '../errors.js';
import { classificationOf } from '../errors.js';
import type { Fetch, FetchResponse } from '../outside.js';
import { abortable } from './abortable.js';
import type { Sent } from './attempt.js';
import { failureOf, isCutJson } from './failure.js';

export interface WireRequest {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called right before bytes may leave. */
  readonly leaving: () => void;
}

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

export interface Wire {
  /** Sends once. Never rejects: what goes wrong is a failure. */
  send(request: WireRequest): Promise<Sent<GraphQLAnswer> & { readonly status: number | null }>;
}

/** The wire to `{baseUrl}/graphql`. */
export function wireTo(baseUrl: string, fetch: Fetch): Wire {
  return {
    async send({ document, variables, headers, signal, leaving }) {
      let status: number | null = null;
      let retryAfter: string | null = null;
      let body: string | null = null;
      let thrown: { readonly error: unknown } | null = null;
      // graphql-request makes a Headers object of ours; the plain record below is what is sent.
      const noting = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
        try {
          leaving();
          const response = await abortable(signal, () =>
            fetch(String(url), {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
              body: String(init?.body),
              signal,
            }),
          );
          status = response.status;
          retryAfter = response.headers.get('retry-after');
          body = await abortable(signal, () => response.text());
          // graphql-request reads ok, status, headers.get and text() of a Response, and no more.
          return asJson(response, body) as Response;
        } catch (error) {
          thrown = { error };
          throw error;
        }
      };
      const client = new GraphQLClient(`${baseUrl}/graphql`, {
        fetch: noting,
        errorPolicy: 'all',
        excludeOperationName: true,
      });
      let answer: { data: unknown; errors: readonly GraphQLErrorEntry[] } | null = null;
      try {
        const raw = await client.rawRequest(document, variables);
        answer = { data: raw.data ?? null, errors: errorEntries(raw.errors) };
      } catch (error) {
        answer = errorAnswer(error);
      }
      return { ...judge(status, retryAfter, body, answer, thrown), status };
    },
  };
}

/** What happened, from what was noted. */
function judge(
  status: number | null,
  retryAfter: string | null,
  body: string | null,
  answer: GraphQLAnswer | null,
  thrown: { readonly error: unknown } | null,
): Sent<GraphQLAnswer> {
  if (thrown) {
    // Once there was a status the request had arrived: only the answer is missing.
    if (status !== null) return { failure: { what: 'cut' } };
    return { failure: failureOf(thrown.error) };
  }
  if (status === null || body === null) return { failure: { what: 'broken', cause: null } };
  if (status < 200 || status > 299) {
    return { failure: { what: 'status', status, retryAfter, errors: answer?.errors ?? [] } };
  }
  if (answer === null || (answer.data === null && answer.errors.length === 0)) {
    return { failure: isCutJson(body) ? { what: 'cut' } : { what: 'garbled', status } };
  }
  // A refused token in the words of GraphQL; with data beside it, it is the refusal of a field, and a new token changes nothing.
  if (isEmpty(answer.data) && answer.errors.some((error) => classificationOf(error) === 'UNAUTHORIZED')) {
    return { failure: { what: 'unauthorized', errors: answer.errors, data: answer.data } };
  }
  return { value: answer };
}

/** Some servers label JSON as something else; graphql-request would not read it then. */
function asJson(response: FetchResponse, body: string): Pick<FetchResponse, 'ok' | 'status' | 'headers' | 'text'> {
  return {
    ok: response.ok,
    status: response.status,
    headers: {
      get: (name) => (name.toLowerCase() === 'content-type' ? 'application/json' : response.headers.get(name)),
    },
    text: async () => body,
  };
}

/** The GraphQL part of a graphql-request ClientError; null when there is none. */
function errorAnswer(error: unknown): GraphQLAnswer | null {
  const response = property(error, 'response');
  const errors = errorEntries(property(response, 'errors'));
  return errors.length === 0 ? null : { data: property(response, 'data') ?? null, errors };
}

/** The entries of `errors` that are errors at all. */
function errorEntries(value: unknown): GraphQLErrorEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const message = property(entry, 'message');
    // The entry keeps whatever else the service put into it.
    return [{ ...entry, message: typeof message === 'string' ? message : 'The service gave no message.' }];
  });
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
