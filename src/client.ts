// FleetClient, the client of the SDK: undici sends its requests (in Bun its own fetch).
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
 * A client of the fleet telematics service, for one login and one of its users. It logs in when the first call needs it, refreshes the
 * token, and sends one request at a time for its user, as the contract demands. You can make any number of calls at once.
 */
export class FleetClient extends BaseClient {
  /** Sends nothing; the first call does. @throws {InvalidInputError} when an option is invalid. */
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
