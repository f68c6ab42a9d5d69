// The part of a client that the schema check needs.
import type { CallOptions } from '../../core/operation.js';

/** Limits for the requests of a check. */
export type SchemaOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export interface SchemaClient {
  request(
    document: string,
    variables: Record<string, unknown>,
    options: SchemaOptions,
  ): Promise<Record<string, unknown>>;
}
