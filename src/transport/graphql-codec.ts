// From a GraphQL document to an HTTP request, and from the HTTP response to a GraphQL answer. This codec is written by hand, for the
// command line: its process is too short to load a library. The SDK has the one in graphql-request-codec.ts.
import type { FetchResponse } from '../core/ports.js';
import { type GraphQLAnswer, isLong, readAnswer, readLongAnswer } from './graphql-response.js';

export interface GraphQLRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
}

export interface GraphQLReply {
  readonly status: number;
  /** The Retry-After header of a failed request. */
  readonly retryAfter: string | null;
  readonly text: string;
  /** Null when the text is no GraphQL answer. */
  readonly answer: GraphQLAnswer | null;
}

/** Sends a POST request; rejects when there is no response. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<FetchResponse>;

/** Sends one request. Rejects with what `post`, or the reading of its response, rejected with. */
export type GraphQLCodec = (request: GraphQLRequest, post: Post) => Promise<GraphQLReply>;

export function plainCodec(): GraphQLCodec {
  const bodyText = bodySerializer();
  return async ({ url, headers, document, variables }, post) => {
    const response = await post(url, headers, bodyText(document, variables));
    const { ok, status } = response;
    const text = await response.text();
    const retryAfter = ok ? null : response.headers.get('retry-after');
    return { status, retryAfter, text, answer: isLong(text) ? await readLongAnswer(text) : readAnswer(text) };
  };
}

/** Documents are constants, and longer than everything else in a body: the last one is not serialized again. */
export function bodySerializer(): (document: string, variables: unknown) => string {
  let last = '';
  let start = '';
  return (document, variables) => {
    if (document !== last) {
      last = document;
      start = `{"query":${JSON.stringify(document)},"variables":`;
    }
    return `${start}${JSON.stringify(variables)}}`;
  };
}
