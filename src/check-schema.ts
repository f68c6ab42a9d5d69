// The live service against the contract that this package is made for: what breaks, which guesses hold, what is new.
import type { FleetClient } from './client.js';
import type { SchemaReport } from './contract/schema-check/findings.js';
import type { SchemaOptions } from './contract/schema-check/schema-client.js';

export type { SchemaOptions };

/**
 * Compares the schema of the live service with the bundled contract. The service is asked to describe itself (introspection); where it
 * refuses, each operation is sent with `@skip(if: true)`, which a service checks and does not run, changes among them only
 * when it has shown that it heeds `@skip`.
 *
 * @returns Which operations break and why, which `@assumed` shapes are confirmed or refuted, and what is new.
 * @throws {FleetError} when the service cannot be reached or asked at all.
 */
export async function checkSchema(client: FleetClient, options: SchemaOptions = {}): Promise<SchemaReport> {
  // GraphQL's own library is large, and nothing else in this package needs all of it.
  const { introspect, isRefusal } = await import('./contract/schema-check/introspection.js');
  const live = await introspect(client, options).catch((error: unknown) => {
    // A gateway may refuse introspection with a status alone. One that refuses everything refuses the probe, and that is told.
    if (isRefusal(error)) return null;
    throw error;
  });
  if (live === null) return (await import('./contract/schema-check/probe.js')).probe(client, options);
  return (await import('./contract/schema-check/compare.js')).compare(live);
}

/**
 * The schema of the live service as SDL text, to generate types from; null when the service does not describe itself.
 *
 * @throws {FleetError} when the service cannot be reached or asked at all.
 */
export async function pullSchema(client: FleetClient, options: SchemaOptions = {}): Promise<string | null> {
  const { introspect, sdlOf } = await import('./contract/schema-check/introspection.js');
  const live = await introspect(client, options);
  return live === null ? null : sdlOf(live);
}
