// The exchange through graphql-request, over a fetch that is handed in. Its own errors hold variables and bodies in their messages, so
// none of them leaves this module: what came is noted beside it.
import type { FetchResponse } from '../core/ports.js';
import { bodies, type GraphQLCodec, type GraphQLReply, headOf, type Post } from './graphql-codec.js';
import { type GraphQLAnswer, readAnswer } from './graphql-response.js';

/** Loaded by the first request: making a client costs nothing. */
let loading: Promise<typeof import('graphql-request')> | undefined;

export function graphqlRequestCodec(): GraphQLCodec {
  const bodyOf = bodies();
  return async (document, variables, post) => {
    loading ??= import('graphql-request');
    const { GraphQLClient } = await loading;
    const notes = new Notes(post);
    const client = new GraphQLClient(ENDPOINT, {
      fetch: notes.fetch,
      jsonSerializer: { stringify: () => bodyOf(document, variables), parse: notes.parse },
      errorPolicy: 'all',
      excludeOperationName: true,
    });
    try {
      await client.rawRequest(document, variables);
    } catch {
      // What it makes of an answer that is no good one is not needed: the answer itself has been noted.
    }
    return notes.came();
  };
}

/** graphql-request makes a URL and a Headers object of its own; where the request really goes and with what, the post knows. */
const ENDPOINT = 'http://fleet.invalid/graphql';

/** Some services label JSON as something else; graphql-request would not read it then. */
const LABELLED_JSON = { get: (name: string) => (name.toLowerCase() === 'content-type' ? 'application/json' : null) };

/** What there is to say of one request, noted while graphql-request works on it. */
class Notes {
  readonly #post: Post;
  #head: Pick<GraphQLReply, 'status' | 'retryAfter'> | null = null;
  #text: string | null = null;
  #answer: GraphQLAnswer | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(post: Post) {
    this.#post = post;
  }

  readonly fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const response = await this.#watched(this.#post(String(init?.body)));
    this.#head = headOf(response);
    const { ok, status } = response;
    // Of a Response it reads these four, and no more.
    return { ok, status, headers: LABELLED_JSON, text: () => this.#read(response) } as unknown as Response;
  };

  readonly parse = (text: string): unknown => {
    this.#answer = readAnswer(text);
    return this.#answer ?? {};
  };

  async #read(response: FetchResponse): Promise<string> {
    this.#text = await this.#watched(response.text());
    return this.#text;
  }

  async #watched<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  came(): GraphQLReply {
    if (this.#failure) throw this.#failure.error;
    if (this.#head === null || this.#text === null) throw new TypeError('graphql-request sent nothing');
    return { ...this.#head, text: this.#text, answer: this.#answer };
  }
}
