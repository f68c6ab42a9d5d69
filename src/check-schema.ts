/**
 * Compares a live service with the contract of this package, and reads its schema.
 * @module fleet-telematics/schema
 */
import type { FleetClient } from './client.js';
import type { SchemaReport } from './contract/schema-check/findings.js';
import type { SchemaOptions } from './contract/schema-check/schema-client.js';

export type { SchemaOptions, SchemaReport };

/**
 * Compares the schema of the live service with the bundled contract, by introspection. If the
 * service refuses introspection, each operation is sent with `@skip(if: true)`, so that the service
 * validates it and does not run it. Mutations are sent this way only after a query has shown that
 * the service respects `@skip`.
 *
 * @returns which operations break and why, which `@assumed` parts are right or wrong, and what is
 * new.
 * @throws {FleetError} when the service cannot be reached or its answer is unusable.
 */
export async function checkSchema(client: FleetClient, options: SchemaOptions = {}): Promise<SchemaReport> {
  // Loaded here, because the graphql package is large and rarely needed.
  const { introspect, isRefusal } = await import('./contract/schema-check/introspection.js');
  const live = await introspect(client, options).catch((error: unknown) => {
    // A gateway may refuse only introspection, with an HTTP status. Otherwise the probe fails too.
    if (isRefusal(error)) return null;
    throw error;
  });
  if (live === null) return (await import('./contract/schema-check/probe.js')).probe(client, options);
  return (await import('./contract/schema-check/compare.js')).compare(live);
}

/**
 * Returns the schema of the live service as SDL text, for example to generate types; null when the
 * service refuses introspection.
 *
 * @throws {FleetError} when the service cannot be reached or its answer is unusable.
 */
export async function pullSchema(client: FleetClient, options: SchemaOptions = {}): Promise<string | null> {
  const { introspect, sdlOf } = await import('./contract/schema-check/introspection.js');
  const live = await introspect(client, options);
  return live === null ? null : sdlOf(live);
}
