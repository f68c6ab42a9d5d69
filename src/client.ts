// FleetClient, the client of the SDK. Its requests use undici, or fetch in Bun.
import type { UserSelection } from './auth/acting-user.js';
import { BaseClient } from './base-client.js';
import type { TransportOf } from './client-core.js';
import type { FleetClientOptions } from './client-options.js';
import { runtimeTransport } from './transport/runtime-transport.js';

const transport: TransportOf = (tls) =>
  runtimeTransport(
    { versions: process.versions, env: process.env, fetch: (url, init) => globalThis.fetch(url, init) },
    tls,
  );

/**
 * A client of the fleet telematics service, for one login and one of its users. It logs in with the
 * first call, refreshes the token, and sends one request at a time for its user, as the contract
 * requires. You can make any number of calls at once.
 */
export class FleetClient extends BaseClient {
  /**
   * Creates the client; the first call sends the first request.
   * @throws {InvalidInputError} when an option is invalid.
   */
  constructor(options: FleetClientOptions) {
    super(options, transport);
  }

  forUser(user: UserSelection): FleetClient {
    return new FleetClient(this.optionsFor(user));
  }

  fork(): FleetClient {
    return new FleetClient(this.optionsOfFork());
  }
}
