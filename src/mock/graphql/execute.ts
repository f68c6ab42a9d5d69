// The GraphQL endpoint after authentication: prepares a request, then runs it. These are two steps,
// because planned faults depend on the operations.
import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema } from 'graphql';
import { isJsonObject } from '../core/json-object.js';
import { decodeBody, errorResponse, mediaType, type ServiceRequest, type ServiceResponse } from '../core/messages.js';
import { parseQualityValues } from '../core/quality-values.js';
import type { Classification } from '../core/refusals.js';
import { refusedStatus } from '../variants/results.js';
import type { DocumentCache, PreparedDocument } from './document-cache.js';
import type { RequestContext } from './request-context.js';
import { type ResponseError, toResponseError } from './response-errors.js';
import { type RootValue, responseBody, rowStreamField } from './row-stream.js';
import { checkOperationVariables, type OperationVariables } from './variables.js';

export interface PreparedRequest {
  readonly operations: readonly string[];
  /** Ignored input members, such as `CreateGroupInput.colour`. */
  readonly ignoredMembers: readonly string[];
  readonly run: (context: RequestContext) => ServiceResponse;
}

/** The service's schema, and its copy for operations that stream snapshots. */
export interface Schemas {
  readonly standard: GraphQLSchema;
  readonly streaming: () => GraphQLSchema;
}

interface GraphQLBody {
  readonly query: string;
  readonly variables: OperationVariables;
  readonly operationName: string | null;
}

type ResponseMediaType = 'application/json' | 'application/graphql-response+json';

function readBody(request: ServiceRequest): GraphQLBody | string {
  let body: unknown;
  try {
    body = JSON.parse(decodeBody(request.body));
  } catch {
    return 'The body is not JSON.';
  }
  if (!isJsonObject(body)) return 'The body must be a JSON object.';
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== 'string' || query.trim() === '') return 'The body needs a member "query" that holds a document.';
  if (variables !== undefined && variables !== null && !isJsonObject(variables))
    return '"variables" must be an object.';
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return '"operationName" must be a string.';
  }
  if (extensions !== undefined && extensions !== null && !isJsonObject(extensions))
    return '"extensions" must be an object.';
  return { query, variables: variables ?? {}, operationName: operationName || null };
}

function negotiateMediaType(accept: string | undefined): ResponseMediaType {
  let best: ResponseMediaType = 'application/json';
  let bestQuality = 0;
  for (const { value, quality } of parseQualityValues(accept)) {
    if (value !== 'application/graphql-response+json' && value !== 'application/json') continue;
    if (quality > bestQuality) [best, bestQuality] = [value, quality];
  }
  return best;
}

function toResponse(responseType: ResponseMediaType, data: unknown, errors: readonly ResponseError[]): ServiceResponse {
  const isRejected = data === undefined;
  return {
    // As in Spring for GraphQL: 400 only as graphql-response+json, otherwise 200.
    status: isRejected && responseType !== 'application/json' ? 400 : 200,
    headers: { 'content-type': `${responseType}; charset=utf-8` },
    body: isRejected ? JSON.stringify({ errors }) : responseBody(data, errors),
  };
}

function rejectedResponse(
  responseType: ResponseMediaType,
  errors: readonly GraphQLError[],
  classification: Classification,
): ServiceResponse {
  return toResponse(
    responseType,
    undefined,
    errors.map((error) => toResponseError(error, classification)),
  );
}

/** Prepares an authenticated request. Returns a response when it cannot run. */
export function prepareRequest(
  request: ServiceRequest,
  schemas: Schemas,
  documents: DocumentCache,
  dropsUnknownKeys: (typeName: string) => boolean,
): PreparedRequest | ServiceResponse {
  const type = request.headers['content-type'];
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (mediaType(type) !== 'application/json' || (charset !== 'utf-8' && charset !== 'utf8')) {
    return errorResponse(415, 'BAD_REQUEST', 'The content type must be application/json in UTF-8.');
  }
  const body = readBody(request);
  if (typeof body === 'string') return errorResponse(400, 'BAD_REQUEST', body);
  const responseType = negotiateMediaType(request.headers.accept);
  const prepared = documents.prepare(body.query);
  if ('errors' in prepared) return rejectedResponse(responseType, prepared.errors, prepared.classification);
  return prepareOperation(prepared, body, responseType, schemas, dropsUnknownKeys);
}

function prepareOperation(
  prepared: PreparedDocument,
  body: GraphQLBody,
  responseType: ResponseMediaType,
  schemas: Schemas,
  dropsUnknownKeys: (typeName: string) => boolean,
): PreparedRequest | ServiceResponse {
  const { operations, document } = prepared;
  const [only] = operations.size === 1 ? operations.values() : [];
  const operation = body.operationName === null ? only : operations.get(body.operationName);
  if (operation === undefined) {
    const problem =
      body.operationName === null
        ? 'Name the operation to run: operationName.'
        : 'The document has no operation of that name.';
    return toResponse(responseType, undefined, [{ message: problem, extensions: { classification: 'BAD_REQUEST' } }]);
  }
  const unknownKeys = { isDropped: dropsUnknownKeys, dropped: new Set(prepared.droppedKeys) };
  const checked = checkOperationVariables(schemas.standard, operation.node, body.variables, unknownKeys);
  if ('errors' in checked) return rejectedResponse(responseType, checked.errors, 'ValidationError');
  const isStreamed =
    operation.rootFields.includes(rowStreamField) &&
    !operation.rootFields.includes('__schema') &&
    !operation.rootFields.includes('__type');
  return {
    operations: operation.rootFields,
    ignoredMembers: [...unknownKeys.dropped],
    run(contextValue) {
      const result = execute({
        schema: isStreamed && !contextValue.mayBeAnswered(rowStreamField) ? schemas.streaming() : schemas.standard,
        document,
        contextValue,
        rootValue: { variables: checked.variables } satisfies RootValue,
        variableValues: checked.variables,
        operationName: body.operationName,
      });
      // graphql-js returns a promise only for asynchronous resolvers, and this service has none.
      const { data, errors = [] } = result as ExecutionResult;
      for (const error of errors) {
        const status = refusedStatus(error);
        if (status !== null) return errorResponse(status, 'BAD_REQUEST', error.message);
      }
      const { recordLimitError } = contextValue;
      if (recordLimitError !== null) {
        return toResponse(responseType, null, [toResponseError(recordLimitError, 'BAD_REQUEST')]);
      }
      return toResponse(
        responseType,
        data,
        errors.map((error) => toResponseError(error, 'DataFetchingException')),
      );
    },
  };
}
