import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  printSchema,
} from 'graphql';
import { GraphQLResponseError, HttpError, ProtocolError } from '../../core/errors.js';
import type { SchemaClient, SchemaOptions } from './schema-client.js';

/** Returns the schema; null when the service refuses introspection. */
export async function introspect(client: SchemaClient, options: SchemaOptions): Promise<GraphQLSchema | null> {
  let data: Record<string, unknown>;
  try {
    data = await introspectionData(client, options);
  } catch (error) {
    // The client may come from another copy of this package, with other classes.
    if (GraphQLResponseError.is(error)) return null;
    throw error;
  }
  if (typeof data.__schema !== 'object' || data.__schema === null) return null;
  try {
    return buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
  } catch (cause) {
    throw new ProtocolError('The service describes its schema in a way that cannot be read.', {
      operation: 'IntrospectionQuery',
      cause,
    });
  }
}

async function introspectionData(client: SchemaClient, options: SchemaOptions): Promise<Record<string, unknown>> {
  const ask = (inputValueDeprecation: boolean) =>
    client.request(
      getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, inputValueDeprecation }),
      {},
      options,
    );
  try {
    // Otherwise the service leaves out deprecated arguments, and they would look removed.
    return await ask(true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // An older GraphQL server does not know this option.
    return ask(false);
  }
}

/** True when the service answers, but refuses this request. */
export function isRefusal(error: unknown): boolean {
  return GraphQLResponseError.is(error) || (HttpError.is(error) && !error.retryable);
}

export function sdlOf(schema: GraphQLSchema): string {
  return `${printSchema(schema)}\n`;
}
