// FleetClient, the client of the SDK: graphql-request builds its requests and reads its responses, undici sends them (in Bun its own fetch).
import type { UserWish } from './auth/acting-user.js';
import { BaseClient, type ClientParts } from './base-client.js';
import type { FleetClientOptions } from './client-options.js';
import { graphqlRequestCodec } from './transport/graphql-request-codec.js';
import { runtimeTransport } from './transport/runtime-transport.js';

const parts: ClientParts = {
  codec: graphqlRequestCodec,
  transport: (tls) =>
    runtimeTransport(
      { versions: process.versions, env: process.env, fetch: (url, init) => globalThis.fetch(url, init) },
      tls,
    ),
};

/**
 * A client of the fleet telematics service, for one login and one of its users. It logs in when the first call needs it, refreshes the
 * token, and sends one request at a time for its user, as the contract demands. You can make any number of calls at once.
 */
export class FleetClient extends BaseClient {
  /** Sends nothing; the first call does. @throws {InvalidInputError} when an option is invalid. */
  constructor(options: FleetClientOptions) {
    super(options, parts);
  }

  as(user: UserWish): FleetClient {
    return new FleetClient(this.optionsFor(user));
  }
}
