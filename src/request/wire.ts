// graphql-request over a fetch that is handed in: one document out, one answer back. graphql-request's own errors hold
// variables and bodies in their messages, so none of them leaves this module: what happened is noted beside it.
import { GraphQLClient } from 'graphql-request';
import type { GraphQLErrorEntry } from '../errors.js';
import { classificationOf } from '../errors.js';
import type { FetchResponse } from '../outside.js';
import type { Sent } from './attempt.js';
import { failureOf, isCutJson } from './failure.js';
import type { Observed } from './observe.js';
import type { Stop } from './stop.js';
import type { ThinFetch } from './undici-fetch.js';

export interface WireRequest {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: Stop;
  /** Called right before bytes may leave. */
  readonly leaving: () => void;
}

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

export interface Wire {
  /** Sends once. Never rejects: what goes wrong is a failure. */
  send(request: WireRequest): Promise<Observed<GraphQLAnswer>>;
}

/** What there is to say of one request, noted while graphql-request works on it. */
interface Notes {
  status: number | null;
  retryAfter: string | null;
  text: string | null;
  thrown: { readonly error: unknown } | null;
}

/** The wire to `{baseUrl}/graphql`. */
export function wireTo(baseUrl: string, http: ThinFetch): Wire {
  const endpoint = `${baseUrl}/graphql`;
  return {
    async send(request) {
      const notes: Notes = { status: null, retryAfter: null, text: null, thrown: null };
      const client = new GraphQLClient(endpoint, {
        // graphql-request makes a URL and a Headers object of its own; the plain ones are what is sent. It reads ok, status,
        // headers.get and text() of a Response, and no more.
        fetch: async (_url, init) => (await send(http, endpoint, request, String(init?.body), notes)) as Response,
        errorPolicy: 'all',
        excludeOperationName: true,
      });
      let answer: GraphQLAnswer | null = null;
      try {
        const raw = await client.rawRequest(request.document, request.variables);
        answer = { data: raw.data ?? null, errors: raw.errors === undefined ? [] : errorEntries(raw.errors) };
      } catch (error) {
        answer = errorAnswer(error);
      }
      const sent = judge(notes, answer);
      const { status, text } = notes;
      return 'value' in sent ? { value: sent.value, status, text } : { failure: sent.failure, status, text };
    },
  };
}

async function send(
  http: ThinFetch,
  endpoint: string,
  { headers, signal, leaving }: WireRequest,
  body: string,
  notes: Notes,
): Promise<Pick<FetchResponse, 'ok' | 'status' | 'headers' | 'text'>> {
  try {
    leaving();
    const response = await http.fetch(endpoint, { method: 'POST', headers, body, signal });
    notes.status = response.status;
    if (!response.ok) notes.retryAfter = response.headers.get('retry-after');
    const text = await response.text();
    notes.text = text;
    return { ok: response.ok, status: response.status, headers: LABELLED_JSON, text: async () => text };
  } catch (error) {
    notes.thrown = { error };
    throw error;
  }
}

/** What happened, from what was noted. */
function judge({ status, retryAfter, text, thrown }: Notes, answer: GraphQLAnswer | null): Sent<GraphQLAnswer> {
  if (thrown) {
    // Once there was a status the request had arrived: only the answer is missing.
    if (status !== null) return { failure: { what: 'cut' } };
    return { failure: failureOf(thrown.error) };
  }
  if (status === null || text === null) return { failure: { what: 'broken', cause: null } };
  if (status < 200 || status > 299) {
    return { failure: { what: 'status', status, retryAfter, errors: answer?.errors ?? [] } };
  }
  if (answer === null || (answer.data === null && answer.errors.length === 0)) {
    return { failure: isCutJson(text) ? { what: 'cut' } : { what: 'garbled', status } };
  }
  // A refused token in the words of GraphQL; with data beside it, it is the refusal of a field, and a new token changes nothing.
  if (
    answer.errors.length > 0 &&
    isEmpty(answer.data) &&
    answer.errors.some((error) => classificationOf(error) === 'UNAUTHORIZED')
  ) {
    return { failure: { what: 'unauthorized', errors: answer.errors, data: answer.data } };
  }
  return { value: answer };
}

/** Some servers label JSON as something else; graphql-request would not read it then. */
const LABELLED_JSON = { get: (name: string) => (name.toLowerCase() === 'content-type' ? 'application/json' : null) };

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
