import { BaseClient } from "../../base-client.js";
import { shortLivedTransport } from "../../transport/short-lived-transport.js";
import { fileTokenStore } from "../../auth/file-token-store.js";
import { fileGate } from "../../locks/file-gate.js";
class CliClient extends BaseClient {
  #transport;
  constructor(options, transport) {
    super(options, transport);
    this.#transport = transport;
  }
  forUser(user) {
    return new CliClient(this.optionsFor(user), this.#transport);
  }
  fork() {
    return new CliClient(this.optionsOfFork(), this.#transport);
  }
}
function cliClient(options, env) {
  return new CliClient(options, () => shortLivedTransport(env));
}
export {
  cliClient,
  fileGate,
  fileTokenStore,
  shortLivedTransport
};
