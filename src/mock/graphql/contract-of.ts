// The contract of a service variant: its schemas and validated documents.
import { SharedCache } from '../core/shared-cache.js';
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

/** Cached, because building a schema takes longer than answering most requests. */
const contracts = new SharedCache<Contract>(4);

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
