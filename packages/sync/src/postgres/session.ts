// One connection to PostgreSQL, which has the lock of a sync and its transactions. postgres.js
// reconnects when a connection ends, for ever if the server ends it at once. A statement between
// that end and the clean-up never gets an answer, or ends in an uncaught TypeError. So each host
// gets one socket, and after its end there is neither a socket nor a statement.
import { createConnection, type Socket } from 'node:net';
import type { Sql } from 'postgres';
import { NO_TLS, type Tls } from './tls.js';

const CONNECT_SECONDS = 10;
const CLOSE_SECONDS = 5;
/** The letter S: the server accepts TLS. It counts only after a request for TLS. */
const TAKES_TLS = 0x53;

/** The address as postgres.js has read it. PGHOST may name several hosts. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/** Rows, with their number or the number of changed rows. */
type Answer = readonly (readonly unknown[])[] & { readonly count: number };

/** A connection that runs one statement at a time. */
export class PostgresSession {
  readonly #sql: Sql;
  readonly #ssl: Tls['ssl'];
  #isEncrypted = false;
  #hasAnswered = false;
  #isLost = false;
  #attempts = 0;
  /** Rejects the running statement. */
  #reject: (error: Error) => void = () => undefined;

  private constructor(url: string, ssl: Tls['ssl'], postgres: typeof import('postgres')) {
    this.#ssl = ssl;
    const options = {
      ssl,
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      // postgres.js would query types, which are not needed, at its own time.
      fetch_types: false,
      onnotice: () => undefined,
      // Documented, but missing in the types.
      socket: (address: Address) => this.#connect(address),
      onclose: () => this.#end(),
      connection: { application_name: 'fleet sync' },
    };
    this.#sql = postgres(url, options);
  }

  static async to(url: string, ssl: Tls['ssl']): Promise<PostgresSession> {
    const { default: postgres } = await import('postgres');
    return new PostgresSession(url, ssl, postgres);
  }

  /** True for an encrypted connection. Valid after the first statement. */
  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  /** Returns the rows of a statement, or of several statements without parameters. */
  async run(statement: string, parameters: readonly string[] = []): Promise<readonly (readonly unknown[])[]> {
    return [...(await this.#answer(statement, parameters))];
  }

  async change(statement: string, parameters: readonly string[]): Promise<number> {
    return (await this.#answer(statement, parameters)).count;
  }

  async #answer(statement: string, parameters: readonly string[]): Promise<Answer> {
    if (this.#isLost) throw lost();
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#sql
        .unsafe(statement, [...parameters], { prepare: parameters.length > 0 })
        .values()
        .then((answer) => {
          this.#hasAnswered = true;
          resolve(answer);
        }, reject);
    });
  }

  async transaction(work: () => Promise<void>): Promise<void> {
    await this.run('BEGIN');
    try {
      await work();
      await this.run('COMMIT');
    } catch (error) {
      // After the loss of the connection, the server has rolled back already.
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    // postgres.js would wait for answers of a connection that has ended or was never made.
    const timeout = this.#hasAnswered ? CLOSE_SECONDS : 0;
    if (!this.#isLost) await this.#sql.end({ timeout }).catch(() => undefined);
  }

  #connect({ host, port, path }: Address): Socket {
    const at = this.#attempts++;
    const name = host[at];
    if (this.#isLost || name === undefined) {
      this.#end();
      throw lost();
    }
    const socket = path === false ? createConnection(port[at] ?? 0, name) : createConnection(path);
    // postgres.js would begin TLS with a server that has refused it.
    socket.once('data', ([answer]) => {
      this.#isEncrypted = this.#ssl !== false && answer === TAKES_TLS;
      if (this.#isEncrypted || this.#ssl === false || this.#ssl === 'prefer') return;
      this.#end(Object.assign(new Error('The server does not take TLS.'), { code: NO_TLS }));
      socket.destroy();
    });
    // postgres.js checks the certificate against this name.
    return Object.assign(socket, { host: name });
  }

  #end(error = lost()): void {
    this.#isLost = true;
    this.#reject(error);
  }
}

function lost(): Error {
  return Object.assign(new Error('The connection has ended.'), { code: 'CONNECTION_CLOSED' });
}
