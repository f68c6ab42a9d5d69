// The codec of the SDK: graphql-request builds the request, reads the response and raises the errors. Its errors quote variables and
// bodies in their messages, so none of them leaves this module.
import { ClientError, GraphQLClient } from 'graphql-request';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { FetchResponse } from '../core/ports.js';
import { bodySerializer, type GraphQLCodec } from './graphql-codec.js';
import { type GraphQLAnswer, readAnswer } from './graphql-response.js';

export function graphqlRequestCodec(): GraphQLCodec {
  const bodyText = bodySerializer();
  const jsonSerializer = {
    stringify: ({ query, variables }: { query: string; variables: unknown }) => bodyText(query, variables),
    parse: parseAnswer,
  };
  return async ({ url, headers, document, variables }, post) => {
    let status = 0;
    const client = new GraphQLClient(url, {
      headers,
      jsonSerializer,
      // By contract a request holds a document and its variables, nothing else.
      excludeOperationName: true,
      // Errors beside data are an answer like any other, and a ClientError would put all of the data into its message.
      errorPolicy: 'all',
      fetch: async (input, init) => {
        const response = await post(String(input), sameHeaders(headers, init?.headers), String(init?.body));
        status = response.status;
        return asJson(response);
      },
    });
    try {
      const { body, data, errors } = await client.rawRequest<unknown>(document, variables);
      return { status, retryAfter: null, text: body, answer: answerOf(data, errors) };
    } catch (error) {
      if (error instanceof UnreadableAnswer) return { status, retryAfter: null, text: error.text, answer: null };
      if (!(error instanceof ClientError)) throw error;
      const { headers, body, data, errors } = error.response;
      return { status, retryAfter: headers.get('retry-after'), text: body, answer: answerOf(data, errors) };
    }
  };
}

class UnreadableAnswer extends Error {
  readonly text: string;
  constructor(text: string) {
    super('The response is no GraphQL answer.');
    this.text = text;
  }
}

/** More lenient than graphql-request, which refuses members that are null; what it gets is always in the form it expects. */
function parseAnswer(text: string): GraphQLAnswer {
  const answer = readAnswer(text);
  if (answer === null) throw new UnreadableAnswer(text);
  return answer;
}

function answerOf(data: unknown, errors: readonly object[] | undefined): GraphQLAnswer | null {
  if (data === undefined && errors === undefined) return null;
  // graphql-request calls them GraphQLError; they are the entries that parseAnswer made.
  return { data: data ?? null, errors: (errors ?? []) as readonly GraphQLErrorEntry[] };
}

/** graphql-request makes a Headers object, which spells all names in small letters: the request gets the names as they were. */
function sameHeaders(given: Readonly<Record<string, string>>, built: RequestInit['headers']): Record<string, string> {
  const values = built instanceof Headers ? built : new Headers(built);
  return Object.fromEntries(Object.keys(given).map((name) => [name, values.get(name) ?? '']));
}

/** Some services label JSON as something else, and graphql-request would not parse it then. */
function asJson(response: FetchResponse): Response {
  const { ok, status } = response;
  const labelled = {
    get: (name: string) => (name.toLowerCase() === 'content-type' ? 'application/json' : response.headers.get(name)),
  };
  // graphql-request reads these four members of a Response and no others.
  return { ok, status, headers: labelled, text: () => response.text() } as unknown as Response;
}
