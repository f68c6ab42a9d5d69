import { BaseClient } from "./base-client.js";
import { runtimeTransport } from "./transport/runtime-transport.js";
const transport = (tls) => runtimeTransport(
  { versions: process.versions, env: process.env, fetch: (url, init) => globalThis.fetch(url, init) },
  tls
);
class FleetClient extends BaseClient {
  /** Sends nothing; the first call does. @throws {InvalidInputError} when an option is invalid. */
  constructor(options) {
    super(options, transport);
  }
  forUser(user) {
    return new FleetClient(this.optionsFor(user));
  }
  fork() {
    return new FleetClient(this.optionsOfFork());
  }
}
export {
  FleetClient
};
