// graphql-request over a fetch that is handed in: one document out, one answer back. graphql-request's own errors hold
// variables and bodies in their messages, so none of them leaves this module: what happened is noted beside it.
import { GraphQLClient } from 'graphql-request';
import type { GraphQLErrorEntry } from '../errors.js';
import { classificationOf } from '../errors.js';
import type { FetchResponse } from '../outside.js';
import { answerJson, errorEntries } from './answer-text.js';
import { failureOf, isCutJson } from './failure.js';
import type { Observed } from './observe.js';
import type { Stop } from './stop.js';
import type { ThinFetch } from './thin-fetch.js';

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

/** The wire to `{baseUrl}/graphql`. */
export function wireTo(baseUrl: string, http: ThinFetch): Wire {
  const endpoint = `${baseUrl}/graphql`;
  return {
    async send({ document, variables, headers, signal, leaving }) {
      const notes = new Notes();
      const client = new GraphQLClient(endpoint, {
        // graphql-request makes a URL and a Headers object of its own; the plain ones are what is sent. Of a Response it reads ok,
        // status, headers.get and text(), and no more.
        fetch(_url: unknown, init?: RequestInit) {
          leaving();
          const response = http.fetch(endpoint, { method: 'POST', headers, body: String(init?.body), signal });
          return response.then(notes.response, notes.failure) as Promise<Response>;
        },
        jsonSerializer: answerJson,
        errorPolicy: 'all',
        excludeOperationName: true,
      });
      let answer: GraphQLAnswer | null = null;
      try {
        const raw = await client.rawRequest(document, variables);
        answer = { data: raw.data ?? null, errors: raw.errors === undefined ? NO_ERRORS : errorEntries(raw.errors) };
      } catch (error) {
        answer = errorAnswer(error);
      }
      return judge(notes, answer);
    },
  };
}

const NO_ERRORS: readonly GraphQLErrorEntry[] = [];

/** Some servers label JSON as something else; graphql-request would not read it then. */
const LABELLED_JSON = { get: (name: string) => (name.toLowerCase() === 'content-type' ? 'application/json' : null) };

/** What there is to say of one request, noted while graphql-request works on it. */
class Notes {
  status: number | null = null;
  retryAfter: string | null = null;
  text: string | null = null;
  thrown: { readonly error: unknown } | null = null;

  readonly response = (response: FetchResponse): Pick<FetchResponse, 'ok' | 'status' | 'headers' | 'text'> => {
    const { ok, status } = response;
    this.status = status;
    if (!ok) this.retryAfter = response.headers.get('retry-after');
    return { ok, status, headers: LABELLED_JSON, text: () => response.text().then(this.body, this.failure) };
  };

  readonly body = (text: string): string => {
    this.text = text;
    return text;
  };

  readonly failure = (error: unknown): never => {
    this.thrown = { error };
    throw error;
  };
}

/** What happened, from what was noted. */
function judge({ status, retryAfter, text, thrown }: Notes, answer: GraphQLAnswer | null): Observed<GraphQLAnswer> {
  if (thrown) {
    // Once there was a status the request had arrived: only the answer is missing.
    return { failure: status === null ? failureOf(thrown.error) : { what: 'cut' }, status, text };
  }
  if (status === null || text === null) return { failure: { what: 'broken', cause: null }, status, text };
  if (status < 200 || status > 299) {
    return { failure: { what: 'status', status, retryAfter, errors: answer?.errors ?? [] }, status, text };
  }
  if (answer === null || (answer.data === null && answer.errors.length === 0)) {
    return { failure: isCutJson(text) ? { what: 'cut' } : { what: 'garbled', status }, status, text };
  }
  // A refused token in the words of GraphQL; with data beside it, it is the refusal of a field, and a new token changes nothing.
  if (
    answer.errors.length > 0 &&
    isEmpty(answer.data) &&
    answer.errors.some((error) => classificationOf(error) === 'UNAUTHORIZED')
  ) {
    return { failure: { what: 'unauthorized', errors: answer.errors, data: answer.data }, status, text };
  }
  return { value: answer, status, text };
}

/** The GraphQL part of a graphql-request ClientError; null when there is none. */
function errorAnswer(error: unknown): GraphQLAnswer | null {
  const response = property(error, 'response');
  const errors = errorEntries(property(response, 'errors'));
  return errors.length === 0 ? null : { data: property(response, 'data') ?? null, errors };
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
