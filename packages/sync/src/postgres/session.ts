// One connection to PostgreSQL, as long as it lives: the lock of a sync and its transactions belong to it. postgres.js connects again whenever a
// connection ends, for ever when the server ends it at once; and between the end of a connection and its clean-up, a statement is never answered or
// ends in an uncaught TypeError. So each host gets one socket, and after the end of the connection there is neither a socket nor a statement.
import { createConnection, type Socket } from 'node:net';
import type { Sql } from 'postgres';
import { NO_TLS, type Tls } from './tls.js';

const CONNECT_SECONDS = 10;
const CLOSE_SECONDS = 5;
/** The letter S: the server takes TLS. To one that was not asked for it, it is no answer. */
const TAKES_TLS = 0x53;

/** What postgres.js has read of the address and of PGHOST, which may name several hosts. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a Unix socket; false when there is none. */
  readonly path: string | false;
}

/** Rows, and how many there are or how many were changed. */
type Answer = readonly (readonly unknown[])[] & { readonly count: number };

/** Statements come one after the other. */
export class PostgresSession {
  readonly #sql: Sql;
  readonly #ssl: Tls['ssl'];
  #isEncrypted = false;
  #hasAnswered = false;
  #isLost = false;
  #attempts = 0;
  /** Rejects the statement that runs. */
  #reject: (error: Error) => void = () => undefined;

  private constructor(url: string, ssl: Tls['ssl'], postgres: typeof import('postgres')) {
    this.#ssl = ssl;
    const options = {
      ssl,
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      // It would ask for types that nobody needs here, at a moment of its own.
      fetch_types: false,
      onnotice: () => undefined,
      // Documented, and missing in its types.
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

  /** Whether the connection is encrypted; known after the first statement. */
  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  /** The rows of a statement. Without parameters it may be several statements. */
  async run(statement: string, parameters: readonly string[] = []): Promise<readonly (readonly unknown[])[]> {
    return [...(await this.#answer(statement, parameters))];
  }

  /** How many rows a statement has changed. */
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

  /** Does all of the work, or nothing of it. */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.run('BEGIN');
    try {
      await work();
      await this.run('COMMIT');
    } catch (error) {
      // Without a connection the server has rolled back already.
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    // postgres.js would wait for the answers of a connection that has ended, or never was one.
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
    // By this name postgres.js checks the certificate.
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
