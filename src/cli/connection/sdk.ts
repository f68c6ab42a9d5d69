// The part of the SDK that a command needs to reach a service, loaded on demand. It does not import index.ts, which would load the rest
// of the SDK as well.
import type { UserWish } from '../../auth/acting-user.js';
import { BaseClient, type ClientParts } from '../../base-client.js';
import type { FleetClientOptions } from '../../client-options.js';
import { plainCodec } from '../../transport/graphql-codec.js';
import type { Environment } from '../../transport/proxy.js';
import { shortLivedTransport } from '../../transport/short-lived-transport.js';

export { fileTokenStore } from '../../auth/file-token-store.js';
export { configFolder } from '../../core/config-folder.js';
export { fileGate } from '../../locks/file-gate.js';
export { shortLivedTransport };

/** A FleetClient for a process that ends after a few requests: it loads neither graphql-request nor, without a proxy, undici. */
class CliClient extends BaseClient {
  readonly #parts: ClientParts;

  constructor(options: FleetClientOptions, parts: ClientParts) {
    super(options, parts);
    this.#parts = parts;
  }

  as(user: UserWish): CliClient {
    return new CliClient(this.optionsFor(user), this.#parts);
  }
}

/** @throws {InvalidInputError} when an option, or a proxy in the environment, cannot be used. */
export function cliClient(options: FleetClientOptions, env: Environment): CliClient {
  return new CliClient(options, { codec: plainCodec, transport: () => shortLivedTransport(env) });
}
