// The contract that a service with a variant speaks: its schemas, and the documents that were checked against them.
import { Shared } from '../core/shared.js';
import { ignoresUnknownMembers } from '../variants/inputs.js';
import type { MockVariant } from '../variants/variant.js';
import { DocumentCache } from './document-cache.js';
import type { Schemas } from './execute.js';
import { streamingSchema } from './row-stream.js';
import type { TimestampForm } from './scalars.js';
import { buildServiceSchema } from './schema.js';

export interface Contract {
  readonly schemas: Schemas;
  readonly documents: DocumentCache;
}

/** A schema takes longer to build than most requests take to answer. */
const contracts = new Shared<Contract>(4);

export function contractOf(timestamps: TimestampForm, variant: MockVariant, strict: boolean): Contract {
  return contracts.get(JSON.stringify([timestamps, strict, variant]), () => {
    const standard = buildServiceSchema(timestamps, variant);
    let streaming: ReturnType<typeof streamingSchema> | null = null;
    return {
      schemas: {
        standard,
        streaming: () => {
          streaming ??= streamingSchema(standard);
          return streaming;
        },
      },
      documents: new DocumentCache(standard, {
        dropsUnknownKeys: ignoresUnknownMembers(variant, strict),
        allowsIntrospection: variant.introspection !== 'off',
      }),
    };
  });
}
