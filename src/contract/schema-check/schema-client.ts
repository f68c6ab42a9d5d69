import type { CallOptions } from '../../core/operation.js';

export type SchemaOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export interface SchemaClient {
  request(
    document: string,
    variables: Record<string, unknown>,
    options: SchemaOptions,
  ): Promise<Record<string, unknown>>;
}
