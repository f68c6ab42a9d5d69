// One document there and one answer back: what is written into the request, and how its answer is read. By hand here, for processes
// too short for a library; graphql-request-exchange.ts has the other way.
import type { FetchResponse } from '../core/ports.js';
import { type GraphQLAnswer, readAnswer } from './graphql-response.js';

/** What came. */
export interface GraphQLReply {
  readonly status: number;
  /** Of an answer that is no good one. */
  readonly retryAfter: string | null;
  readonly text: string;
  /** Null when the text is no GraphQL answer. */
  readonly answer: GraphQLAnswer | null;
}

/** Sends a body; rejects when there was no answer to it. */
export type Post = (body: string) => Promise<FetchResponse>;

/** Rejects with what the post, or the reading of its answer, was rejected with. */
export type GraphQLCodec = (
  document: string,
  variables: { readonly [name: string]: unknown },
  post: Post,
) => Promise<GraphQLReply>;

export function plainCodec(): GraphQLCodec {
  const bodyOf = bodies();
  return async (document, variables, post) => {
    const response = await post(bodyOf(document, variables));
    const text = await response.text();
    return { ...headOf(response), text, answer: readAnswer(text) };
  };
}

export function headOf({ ok, status, headers }: FetchResponse): Pick<GraphQLReply, 'status' | 'retryAfter'> {
  return { status, retryAfter: ok ? null : headers.get('retry-after') };
}

/** Documents are constants, and longer than everything else in a body: the one sent last is not written as JSON again. */
export function bodies(): (document: string, variables: { readonly [name: string]: unknown }) => string {
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
