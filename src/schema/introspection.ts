// The live service's description of itself.
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  printSchema,
} from 'graphql';
import type { FleetClient } from '../client.js';
import { GraphQLResponseError, ProtocolError } from '../errors.js';
import type { SchemaOptions } from './check-schema.js';

/** Null when the service refuses to describe itself. */
export async function introspect(client: FleetClient, options: SchemaOptions): Promise<GraphQLSchema | null> {
  // Asks for nothing that a service of an older GraphQL would not know.
  const document = getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, inputValueDeprecation: false });
  let data: Record<string, unknown>;
  try {
    data = await client.request(document, {}, options);
  } catch (error) {
    if (error instanceof GraphQLResponseError) return null;
    throw error;
  }
  if (typeof data.__schema !== 'object' || data.__schema === null) return null;
  try {
    // Its form is checked by the one who reads it.
    return buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
  } catch (cause) {
    throw new ProtocolError('The service describes its schema in a way that cannot be read.', {
      operation: 'IntrospectionQuery',
      cause,
    });
  }
}

export function sdlOf(schema: GraphQLSchema): string {
  return `${printSchema(schema)}\n`;
}
