import { createConnection } from "node:net";
import { NO_TLS } from "./tls.js";
const CONNECT_SECONDS = 10;
const CLOSE_SECONDS = 5;
const TAKES_TLS = 83;
class PostgresSession {
  #sql;
  #ssl;
  #isEncrypted = false;
  #hasAnswered = false;
  #isLost = false;
  #attempts = 0;
  /** Rejects the statement that runs. */
  #reject = () => void 0;
  constructor(url, ssl, postgres) {
    this.#ssl = ssl;
    const options = {
      ssl,
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      // It would ask for types that nobody needs here, at a moment of its own.
      fetch_types: false,
      onnotice: () => void 0,
      // Documented, and missing in its types.
      socket: (address) => this.#connect(address),
      onclose: () => this.#end(),
      connection: { application_name: "fleet sync" }
    };
    this.#sql = postgres(url, options);
  }
  static async to(url, ssl) {
    const { default: postgres } = await import("postgres");
    return new PostgresSession(url, ssl, postgres);
  }
  /** Whether the connection is encrypted; known after the first statement. */
  get isEncrypted() {
    return this.#isEncrypted;
  }
  /** The rows of a statement. Without parameters it may be several statements. */
  async run(statement, parameters = []) {
    return [...await this.#answer(statement, parameters)];
  }
  /** How many rows a statement has changed. */
  async change(statement, parameters) {
    return (await this.#answer(statement, parameters)).count;
  }
  async #answer(statement, parameters) {
    if (this.#isLost) throw lost();
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#sql.unsafe(statement, [...parameters], { prepare: parameters.length > 0 }).values().then((answer) => {
        this.#hasAnswered = true;
        resolve(answer);
      }, reject);
    });
  }
  /** Does all of the work, or nothing of it. */
  async transaction(work) {
    await this.run("BEGIN");
    try {
      await work();
      await this.run("COMMIT");
    } catch (error) {
      await this.run("ROLLBACK").catch(() => void 0);
      throw error;
    }
  }
  /** Never rejects. */
  async close() {
    const timeout = this.#hasAnswered ? CLOSE_SECONDS : 0;
    if (!this.#isLost) await this.#sql.end({ timeout }).catch(() => void 0);
  }
  #connect({ host, port, path }) {
    const at = this.#attempts++;
    const name = host[at];
    if (this.#isLost || name === void 0) {
      this.#end();
      throw lost();
    }
    const socket = path === false ? createConnection(port[at] ?? 0, name) : createConnection(path);
    socket.once("data", ([answer]) => {
      this.#isEncrypted = this.#ssl !== false && answer === TAKES_TLS;
      if (this.#isEncrypted || this.#ssl === false || this.#ssl === "prefer") return;
      this.#end(Object.assign(new Error("The server does not take TLS."), { code: NO_TLS }));
      socket.destroy();
    });
    return Object.assign(socket, { host: name });
  }
  #end(error = lost()) {
    this.#isLost = true;
    this.#reject(error);
  }
}
function lost() {
  return Object.assign(new Error("The connection has ended."), { code: "CONNECTION_CLOSED" });
}
export {
  PostgresSession
};
