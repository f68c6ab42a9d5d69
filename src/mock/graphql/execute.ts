// The GraphQL endpoint once it is clear who asks: reads the body, then executes. Reading and executing are two steps, because
// planned faults must know the operations before anything runs.
import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema } from 'graphql';
import { mediaType, type ServiceRequest, type ServiceResponse, text } from '../http/messages.js';
import type { Context } from './context.js';
import type { Documents, PreparedDocument } from './documents.js';
import { type Classification, errorResponse, type WireError, wireError } from './errors.js';
import { answerText, type Root } from './row-stream.js';
import { checkVariables, type Variables } from './variables.js';

/** A request that is ready to run. */
export interface Call {
  /** Names of the root fields. */
  readonly operations: readonly string[];
  readonly run: (context: Context) => ServiceResponse;
}

/** The service's schema, and its twin for operations that ask for snapshots. */
export interface Schemas {
  readonly whole: GraphQLSchema;
  readonly streaming: () => GraphQLSchema;
}

interface Body {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

type Media = 'application/json' | 'application/graphql-response+json';

const isObject = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body's members, or why they are not what GraphQL over HTTP asks for. */
function readBody(request: ServiceRequest): Body | string {
  let body: unknown;
  try {
    body = JSON.parse(text(request.body));
  } catch {
    return 'The body is not JSON.';
  }
  if (!isObject(body)) return 'The body must be a JSON object.';
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== 'string' || query.trim() === '') return 'The body needs a member "query" that holds a document.';
  if (variables !== undefined && variables !== null && !isObject(variables)) return '"variables" must be an object.';
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return '"operationName" must be a string.';
  }
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    return '"extensions" must be an object.';
  return { query, variables: variables ?? {}, operationName: operationName || null };
}

/** Which of the two media types the client prefers; JSON when it does not say. */
function answerMedia(accept: string | undefined): Media {
  let best: Media = 'application/json';
  let bestQuality = 0;
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const given = parameters.find((part) => part.startsWith('q='))?.slice(2);
    const quality = given === undefined ? 1 : Number(given);
    if (type !== 'application/graphql-response+json' && type !== 'application/json') continue;
    if (quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

function answer(media: Media, data: unknown, errors: readonly WireError[]): ServiceResponse {
  const refused = data === undefined;
  return {
    // Spring for GraphQL answers a request it could not execute with 200 as JSON, and with 400 as graphql-response+json.
    status: refused && media !== 'application/json' ? 400 : 200,
    headers: { 'content-type': `${media}; charset=utf-8` },
    body: refused ? JSON.stringify({ errors }) : answerText(data, errors),
  };
}

function refusedWith(media: Media, errors: readonly GraphQLError[], classification: Classification): ServiceResponse {
  return answer(
    media,
    undefined,
    errors.map((error) => wireError(error, classification)),
  );
}

/** Reads a request that has passed the guards; an answer when it cannot be run. */
export function readCall(
  request: ServiceRequest,
  schemas: Schemas,
  documents: Documents,
  strict: boolean,
): Call | ServiceResponse {
  const type = request.headers['content-type'];
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (mediaType(type) !== 'application/json' || (charset !== 'utf-8' && charset !== 'utf8')) {
    return errorResponse(415, 'BAD_REQUEST', 'The content type must be application/json in UTF-8.');
  }
  const body = readBody(request);
  if (typeof body === 'string') return errorResponse(400, 'BAD_REQUEST', body);
  const media = answerMedia(request.headers.accept);
  const prepared = documents.prepare(body.query);
  if ('errors' in prepared) return refusedWith(media, prepared.errors, prepared.classification);
  return callOf(prepared, body, media, schemas, strict);
}

function callOf(
  prepared: PreparedDocument,
  body: Body,
  media: Media,
  schemas: Schemas,
  strict: boolean,
): Call | ServiceResponse {
  const { operations, document } = prepared;
  const [only] = operations.size === 1 ? operations.values() : [];
  const operation = body.operationName === null ? only : operations.get(body.operationName);
  if (operation === undefined) {
    const problem =
      body.operationName === null
        ? 'Say which operation to run: operationName.'
        : 'The document has no operation of that name.';
    return answer(media, undefined, [{ message: problem, extensions: { classification: 'BAD_REQUEST' } }]);
  }
  const checked = checkVariables(schemas.whole, operation.node, body.variables, strict);
  if ('errors' in checked) return refusedWith(media, checked.errors, 'ValidationError');
  const streams =
    operation.rootFields.includes('getSnapshots') &&
    !operation.rootFields.includes('__schema') &&
    !operation.rootFields.includes('__type');
  return {
    operations: operation.rootFields,
    run(contextValue) {
      const result = execute({
        schema: streams ? schemas.streaming() : schemas.whole,
        document,
        contextValue,
        rootValue: { variables: checked.variables } satisfies Root,
        variableValues: checked.variables,
        operationName: body.operationName,
      });
      // No resolver of this service waits for anything, and graphql-js only makes promises when one does.
      const { data, errors = [] } = result as ExecutionResult;
      const { excess } = contextValue;
      if (excess !== null) return answer(media, null, [wireError(excess, 'BAD_REQUEST')]);
      return answer(
        media,
        data,
        errors.map((error) => wireError(error, 'DataFetchingException')),
      );
    },
  };
}
