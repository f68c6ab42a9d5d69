// The part of the SDK that a command needs. Does not import index.ts, which loads the rest too.
import type { UserSelection } from '../../auth/acting-user.js';
import { BaseClient } from '../../base-client.js';
import type { TransportOf } from '../../client-core.js';
import type { FleetClientOptions } from '../../client-options.js';
import type { Environment } from '../../transport/proxy.js';
import { shortLivedTransport } from '../../transport/runtime-transport.js';

export { fileTokenStore } from '../../auth/file-token-store.js';
export { fileGate } from '../../locks/file-gate.js';
export { shortLivedTransport };

/** A FleetClient for a short-lived process: it does not load undici unless there is a proxy. */
class CliClient extends BaseClient {
  readonly #transport: TransportOf;

  constructor(options: FleetClientOptions, transport: TransportOf) {
    super(options, transport);
    this.#transport = transport;
  }

  forUser(user: UserSelection): CliClient {
    return new CliClient(this.optionsFor(user), this.#transport);
  }

  fork(): CliClient {
    return new CliClient(this.optionsOfFork(), this.#transport);
  }
}

/** Creates a client. Throws InvalidInputError for an invalid option or proxy. */
export function cliClient(options: FleetClientOptions, env: Environment): CliClient {
  return new CliClient(options, () => shortLivedTransport(env));
}
