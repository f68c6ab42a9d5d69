// The codec of the SDK: graphql-request builds the request, reads the response and raises the errors. Its errors quote variables and
// bodies in their messages, so none of them leaves this module.
import { ClientError, GraphQLClient } from 'graphql-request';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { FetchResponse } from '../core/ports.js';
import { bodySerializer, type GraphQLCodec } from './graphql-codec.js';
import { type GraphQLAnswer, isLong, readAnswer, readLongAnswer } from './graphql-response.js';

export function graphqlRequestCodec(): GraphQLCodec {
  const bodyText = bodySerializer();
  const stringify = ({ query, variables }: { query: string; variables: unknown }) => bodyText(query, variables);
  return async ({ url, headers, document, variables }, post) => {
    let status = 0;
    /** A long answer is read before graphql-request asks for it, because it does not wait for its parser. */
    let long: { readonly answer: GraphQLAnswer | null } | null = null;
    const parse = (text: string) => readable(text, long ? long.answer : readAnswer(text));
    const client = new GraphQLClient(url, {
      jsonSerializer: { stringify, parse },
      // By contract a request holds a document and its variables, nothing else.
      excludeOperationName: true,
      // Errors beside data are an answer like any other, and a ClientError would put all of the data into its message.
      errorPolicy: 'all',
      fetch: async (input, init) => {
        // Not `init.headers`: graphql-request has none to add, and a Headers object for each request costs more than the rest of this.
        const response = await post(String(input), headers, String(init?.body));
        status = response.status;
        return asJson(response, async (text) => {
          long = { answer: await readLongAnswer(text) };
          return text;
        });
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
function readable(text: string, answer: GraphQLAnswer | null): GraphQLAnswer {
  if (answer === null) throw new UnreadableAnswer(text);
  return answer;
}

function answerOf(data: unknown, errors: readonly object[] | undefined): GraphQLAnswer | null {
  if (data === undefined && errors === undefined) return null;
  // graphql-request calls them GraphQLError; they are the entries that parseAnswer made.
  return { data: data ?? null, errors: (errors ?? []) as readonly GraphQLErrorEntry[] };
}

/** Some services label JSON as something else, and graphql-request would not parse it then. */
function asJson(response: FetchResponse, onLong: (text: string) => Promise<string>): Response {
  const { ok, status } = response;
  const labelled = {
    get: (name: string) => (name.toLowerCase() === 'content-type' ? 'application/json' : response.headers.get(name)),
  };
  const text = () => response.text().then((all) => (isLong(all) ? onLong(all) : all));
  // graphql-request reads these four members of a Response and no others.
  return { ok, status, headers: labelled, text } as unknown as Response;
}
