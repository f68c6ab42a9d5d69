// Checks that every answer of the service must pass.

export interface Seen {
  readonly status: number;
  readonly type: string;
  /** Null when the answer was too long to read. */
  readonly text: string | null;
}

const longestMessage = 450;

/** Returns the problem with an answer when no fault was planned; null when it is valid. */
export function fault(seen: Seen, path: string): string | null {
  const { status, text } = seen;
  // The sources have no GraphiQL page, which comes with the build, and the service reports that.
  if (status >= 500 && !(status === 503 && path.startsWith('/graphiql'))) return `status ${status}`;
  if (status === 429) return 'answered 429 although nothing else is active';
  if (text === null) return null;
  if (!path.startsWith('/graphiql') && /\.[jt]s:\d+|node_modules|\n {4}at /.test(text))
    return 'the answer shows a stack';
  if (path !== '/graphql' || text === '') return null;
  return faultOfGraphql(seen, text);
}

function faultOfGraphql({ status, type }: Seen, text: string): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'the answer is not JSON';
  }
  if (!/^application\/(graphql-response\+)?json/.test(type)) return `the content type is ${type}`;
  if (typeof body !== 'object' || body === null) return 'the answer is no object';
  const errors: unknown = Reflect.get(body, 'errors');
  if (errors === undefined) return status === 200 && 'data' in body ? null : `status ${status} without errors`;
  if (!Array.isArray(errors) || errors.length === 0) return 'errors is not a list of errors';
  for (const error of errors) {
    const message: unknown = error?.message;
    if (typeof message !== 'string' || message === '') return 'an error has no message';
    if (message.length > longestMessage) return 'a message grows with the request';
    if (typeof error.extensions?.classification !== 'string') return 'an error has no classification';
    // The service's message for an unexpected exception.
    if (message === 'Exception while fetching data.') return `unexpected exception at ${JSON.stringify(error.path)}`;
  }
  return null;
}
