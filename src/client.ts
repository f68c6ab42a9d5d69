// FleetClient, the client of the SDK: graphql-request builds its requests and reads its responses, undici sends them.
import type { UserWish } from './auth/acting-user.js';
import { BaseClient, type ClientParts } from './base-client.js';
import type { FleetClientOptions } from './client-options.js';
import { graphqlRequestCodec } from './transport/graphql-request-codec.js';
import { undiciTransport } from './transport/undici-transport.js';

const parts: ClientParts = {
  codec: graphqlRequestCodec,
  transport: (tls) => undiciTransport(process.env, tls),
};

/**
 * A client of the fleet telematics service, for one login and one of its users. It logs in when it first needs to, keeps the token
 * fresh, and sends one request at a time for its user, as the contract demands; call its methods as you like.
 */
export class FleetClient extends BaseClient {
  /** Nothing is sent before the first call. @throws {InvalidInputError} when an option cannot be used. */
  constructor(options: FleetClientOptions) {
    super(options, parts);
  }

  as(user: UserWish): FleetClient {
    return new FleetClient(this.optionsFor(user));
  }
}
